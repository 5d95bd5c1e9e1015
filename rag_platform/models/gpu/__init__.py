"""Models on a graphics card: the graph of a batch, and the session whose memory is the card's."""
