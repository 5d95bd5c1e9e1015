"""What every stage shares: records, errors, ports. It imports nothing else of the platform."""
