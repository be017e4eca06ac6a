"""Servers on loopback that let in whoever brings an access token that the provider takes."""

import base64
import contextlib
import http.server
import os
import socketserver
import ssl
import subprocess
import threading
import urllib.error
import urllib.request


def is_taken(issuer, token):
    """Whether the provider answers its userinfo endpoint for a token."""
    request = urllib.request.Request(
        f"{issuer}/userinfo", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status == 200
    except (urllib.error.HTTPError, ValueError):
        return False


class Handler(http.server.BaseHTTPRequestHandler):
    """A request with a token, which `server.tokens` keeps; `server.issuer` is the provider."""

    protocol_version = "HTTP/1.1"
    challenge = "Bearer"

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        token = self.token(self.headers.get("Authorization") or "")
        self.server.tokens.append(token)
        if is_taken(self.server.issuer, token):
            self.grant(body)
        else:
            self.send(401, b"", {"WWW-Authenticate": self.challenge})

    do_POST = do_GET

    def token(self, authorization):
        return authorization.removeprefix("Bearer ")

    def send(self, status, body, headers):
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Git(Handler):
    """`git http-backend` of the repositories in `server.root`, by the token as a password."""

    challenge = 'Basic realm="git"'

    def token(self, authorization):
        if not authorization.startswith("Basic "):
            return ""
        return base64.b64decode(authorization[6:]).decode().partition(":")[2]

    def grant(self, body):
        path, _, query = self.path.partition("?")
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env={
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": self.server.root,
            "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
            "REQUEST_METHOD": self.command, "REMOTE_USER": "reader",
            "CONTENT_TYPE": self.headers.get("Content-Type") or "",
            "CONTENT_LENGTH": str(len(body)),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or ""})
        head, _, answer = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send(int(headers.pop("Status", "200").split()[0]), answer, headers)


class Kubernetes(Handler):
    """As much of an API server as `kubectl get --raw` needs."""

    def grant(self, _):
        self.send(200, b'{"kind":"APIVersions","versions":["v1"]}',
                  {"Content-Type": "application/json"})


class Everybody(Handler):
    """A server that refuses everybody, and so learns what it is offered."""

    challenge = 'Basic realm="a trap"'

    def token(self, authorization):
        return authorization

    def do_GET(self):
        self.server.tokens.append(self.token(self.headers.get("Authorization") or ""))
        self.send(401, b"", {"WWW-Authenticate": self.challenge})


@contextlib.contextmanager
def serving(handler, issuer, root=None, certificate=None):
    """A server on any free port of 127.0.0.1, with TLS where there is a certificate (and key)."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.issuer, server.root, server.tokens = issuer, root, []
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.address = f"127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class Sink(socketserver.StreamRequestHandler):
    """Takes mail and keeps it (RFC 5321)."""

    def handle(self):
        self.say("220 sink.example")
        for line in self.rfile:
            verb = line.split()[0].upper() if line.split() else b""
            if verb == b"DATA":
                self.say("354 go on")
                mail = b""
                for part in self.rfile:
                    if part == b".\r\n":
                        break
                    mail += part
                self.server.mails.append(mail.decode())
            self.say("221 bye" if verb == b"QUIT" else "250 sink.example")
            if verb == b"QUIT":
                return

    def say(self, text):
        self.wfile.write(f"{text}\r\n".encode())


@contextlib.contextmanager
def sink():
    """A mail server on any free port of 127.0.0.1 that takes everything."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Sink) as server:
        server.daemon_threads = True
        server.mails, server.port = [], server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
