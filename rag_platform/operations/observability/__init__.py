"""What is told to those who run the platform: metrics, traces and logs, of spans and of the workspace."""
