"""A table that is only simulated: pieces that lie somewhere, readers under them, a strip; in this process, or in one with a window."""
