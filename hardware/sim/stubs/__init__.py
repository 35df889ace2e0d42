"""Modules that a microcontroller has and a desktop has not, for the firmware under simulation. Never imported by this name:
their directory is put on the firmware's own path.
"""
