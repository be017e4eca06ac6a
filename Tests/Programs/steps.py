"""What the cases do besides running the programs themselves."""

import urllib.parse
import urllib.request

from machine import expect


def revoke(machine, token):
    """Takes an access token back at the provider (RFC 7009), without the host's knowledge."""
    data = urllib.parse.urlencode({"client_id": "desktop", "token": token}).encode()
    with urllib.request.urlopen(f"{machine.issuer}/revoke", data, timeout=20) as answer:
        expect(answer.status == 200, "revocation", answer.status)


def token_of(machine):
    done = machine.run("tokenvault", "token")
    expect(done.returncode == 0, done)
    return done.stdout.strip()


def shell(machine, text):
    """Has bash run lines; no argument list and no environment of what they start has the token."""
    trace = f"{machine.path}/execve.trace"
    done = machine.run("strace", "-f", "-qq", "-v", "-s", "65536", "-e", "trace=execve", "-o", trace,
                       "bash", "-c", text, seconds=60)
    with open(trace, errors="replace") as file:
        calls = file.read()
    expect("execve(" in calls, "nothing was traced")
    expect(token_of(machine) not in calls, "the token can be seen")
    return done


def make_certificate(machine):
    """A certificate of 127.0.0.1 that is its own authority, and its key."""
    path = f"{machine.path}/certificate.pem"
    made = machine.run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path, "-out",
        f"{machine.path}/authority.pem")
    expect(made.returncode == 0, made)
    with open(path, "a") as file:
        file.write(machine.text("authority.pem"))
    return path
