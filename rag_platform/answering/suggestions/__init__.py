"""Questions worth asking."""
