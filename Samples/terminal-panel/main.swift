// Entry point.
