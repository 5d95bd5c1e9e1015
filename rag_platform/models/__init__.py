"""Models on this machine: their cards, verified weights, ONNX graphs, and running them."""
