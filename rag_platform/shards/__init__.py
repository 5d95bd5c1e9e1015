"""Who computes shards: the threads of this process. One is done when its receipt is there (`shard_files.py`)."""
