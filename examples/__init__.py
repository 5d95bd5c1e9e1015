"""The demo: see `demo.py`."""
