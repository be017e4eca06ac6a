"""Stands between the host and the provider's token and revocation endpoints, and notes what passes.

A refresh token is remembered by its hash. A request can be held, so that the thread of the host that
waits for the answer can be found and traced.
"""

import hashlib
import http.client
import http.server
import threading
import urllib.parse


class Gateway:
    """A server on loopback that forwards to `issuer` and records each use of a refresh token."""

    def __init__(self, issuer):
        self.provider = urllib.parse.urlsplit(issuer)
        self.uses = []
        self.held = None
        self.reached = threading.Event()
        self.go = threading.Event()
        self.in_flight = 0
        self.changed = threading.Condition()
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                gateway.handle(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def handle(self, request):
        with self.changed:
            self.in_flight += 1
        try:
            self.forward(request)
        except OSError:
            # The host is gone, or so is the provider: there is nobody to tell.
            pass
        finally:
            with self.changed:
                self.in_flight -= 1
                self.changed.notify_all()

    def forward(self, request):
        length = int(request.headers.get("Content-Length", "0"))
        body = request.rfile.read(length)
        if len(body) < length:
            return
        kind = request.path.strip("/")
        if self.held == kind:
            self.held = None
            self.reached.set()
            self.go.wait(20)
        use = self.use(kind, body)
        headers = {name: request.headers[name] for name in ("Authorization", "Content-Type", "Accept")
                   if name in request.headers}
        connection = http.client.HTTPConnection(self.provider.netloc, timeout=20)
        connection.request("POST", self.provider.path + "/" + kind, body, headers)
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        if use:
            use["status"] = response.status
        request.send_response(response.status)
        request.send_header("Content-Type", response.headers.get("Content-Type", "text/plain"))
        request.send_header("Content-Length", str(len(answer)))
        request.end_headers()
        request.wfile.write(answer)

    def use(self, kind, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        if kind != "token" or form.get("grant_type") != "refresh_token":
            return None
        token = hashlib.sha256(form["refresh_token"].encode()).hexdigest()[:16]
        use = {"token": token, "status": None}
        self.uses.append(use)
        return use

    def hold(self, kind):
        """The next request of this kind waits; `reached` tells when it is there."""
        self.reached.clear()
        self.go.clear()
        self.held = kind

    def release(self):
        self.held = None
        self.go.set()

    def wait_until_idle(self):
        """Returns when every request that was begun has been answered."""
        with self.changed:
            self.changed.wait_for(lambda: self.in_flight == 0, timeout=30)
