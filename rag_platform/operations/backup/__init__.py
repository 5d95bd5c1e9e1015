"""A workspace's copies elsewhere: content by its hash, and a small list of files for each moment.

target.py     where copies lie: a folder, or any address of fsspec
snapshot.py   what a workspace was at a moment: its files, each as pieces by their hash
contents.py   the files of a workspace that are copied, and what is read together so that it agrees
making.py     one more copy; old ones go, and damage is found
restoring.py  a copy becomes a workspace again
"""
