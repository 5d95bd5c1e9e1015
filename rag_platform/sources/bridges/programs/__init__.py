"""What runs in a bridge's process: by path, by any Python that has the library, and without this package."""
