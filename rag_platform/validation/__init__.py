"""Documents as they were to documents as they are: what a source changed into, and whether that is plausible."""
