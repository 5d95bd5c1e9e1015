"""Looking after a workspace: background syncs, health, doctor, disk usage, status."""
