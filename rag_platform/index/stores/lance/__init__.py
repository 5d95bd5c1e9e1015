"""Lance tables, in a shared folder or an object store, as the engine of versions."""
