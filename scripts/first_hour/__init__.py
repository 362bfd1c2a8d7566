"""The rows of `scripts/first_hour.py`: each types what a new user types, in a directory of its own."""
