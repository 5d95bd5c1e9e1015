"""The HTTP API: thin routes over the library, started by `rag serve`."""
