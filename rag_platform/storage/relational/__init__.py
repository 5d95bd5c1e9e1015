"""App data that many processes write at once: what is asked of its tables, and PostgreSQL for several machines."""
