"""A request with the access token of a namespace: by a child `curl`, and once more after a 401."""

import subprocess
import sys

# How long one request may take, and how long the host may take for another token.
REQUEST, RENEWAL = 10, 5


class Unreachable(Exception):
    """The API gave no answer, or none that can be used; what has been shown may stay."""


class Refused(Exception):
    """The API does not take the token, and there is no other."""


def get(url, token):
    """The status and the body of an answer. The token is in no argument list and in no file."""
    for text in (token, url):
        # What would end a line or a text of curl's configuration could begin an option of its own.
        if not all("!" <= c <= "~" and c not in '"\\' for c in text):
            raise Refused("the token or the address cannot be sent")
    curl = subprocess.run(
        ["curl", "--disable", "--config", "-"], capture_output=True, text=True, check=False,
        input=f'header = "Authorization: Bearer {token}"\n'
              f'url = "{url}"\nproto = "=https,http"\nsilent\nshow-error\nmax-filesize = 65536\n'
              f'max-time = {REQUEST}\nwrite-out = "\\n%{{http_code}}"\n')
    if curl.returncode != 0:
        # A bar has room for few words; curl's own are for the log.
        print(curl.stderr.strip(), file=sys.stderr)
        raise Unreachable("the API is out of reach")
    body, _, status = curl.stdout.rpartition("\n")
    return int(status), body


def other_token(vault, namespace, rejected, account):
    """The token to send after a 401, be it that one is published already or that the host renews.

    The host renews at most once per 30 s, whoever asks, so that an API that takes no token at all
    makes no storm. Nobody is sent the token of another account than at first."""
    def published():
        if vault.state(namespace).get("account") != account:
            raise Refused("another account has signed in")
        token = vault.token(namespace)
        return token if token != rejected else None

    if token := published():
        return token
    try:
        subprocess.run(["tokenvault", "renew", namespace], timeout=RENEWAL, check=False,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        pass
    return published()


def authorized_get(vault, namespace, url):
    """The body of the API's answer, after two requests at most.

    Raises RuntimeError where there is no token, with what to do; Unreachable; Refused."""
    account = vault.state(namespace).get("account")
    token = vault.token(namespace)
    status, body = get(url, token)
    if status == 401:
        token = other_token(vault, namespace, token, account)
        if token is None:
            raise Refused("the API does not take the token")
        status, body = get(url, token)
    if status in (401, 403):
        raise Refused(f"the API refuses (status {status})")
    if not 200 <= status < 300:
        raise Unreachable(f"the API answered with status {status}")
    return body
