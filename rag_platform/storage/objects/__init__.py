"""What lies in an object store that several machines write, and is read through files of this machine."""
