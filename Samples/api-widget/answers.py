"""What the API has said last, kept between runs for one minute and for times without an API."""

import contextlib
import json
import os
import time


class Answers:
    """The newest answer, for one account only: what the next run shows first. It holds no token."""

    def __init__(self, url, namespace):
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.path = os.path.join(home, "tokenvault-api-widget", namespace)
        self.url = url

    def newest(self, state):
        """The name and its age in seconds, or None where it is of another account or of nobody."""
        try:
            with open(self.path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["of"] == [self.url, state.get("issuer"), state.get("account")]:
                return kept["name"], max(0, time.time() - kept["at"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def keep(self, state, name):
        content = {"of": [self.url, state.get("issuer"), state.get("account")],
                   "name": name, "at": time.time()}
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        new = f"{self.path}.{os.getpid()}"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(content, file)
        os.replace(new, self.path)

    def forget(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
