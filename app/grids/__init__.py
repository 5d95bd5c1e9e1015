"""The parts of the view Grids."""
