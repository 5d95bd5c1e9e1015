"""What runs and what it cost: progress of stages, and the cost ledger."""
