"""What goes wrong with sources, and with who reads them: is it stopped, and where? `python -m benchmarks.accidents`."""
