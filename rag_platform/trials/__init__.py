"""Versions beside the live one: tried on sampled questions, on live traffic, and on a share of the sessions."""
