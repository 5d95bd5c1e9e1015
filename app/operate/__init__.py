"""Operate: what the workspace does, holds, costs and is asked."""
