"""Tables that many processes read and write at once: a port, and PostgreSQL for several machines."""
