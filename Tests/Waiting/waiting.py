"""Waits for what no event tells of, in the tests that run whole programs beside themselves."""

import time


class Failed(Exception):
    """What must hold does not, or it cannot be shown."""


def wait_for(condition, limit, what, pause=0.01):
    """Waits until a condition holds, for so many seconds at most, and returns what it said."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {limit:g} s")
        time.sleep(pause)
