"""The ten scenarios of `tokenvault simulate` beside every sample that is a widget.

terminal-panel and python-panel are played beside in SnapshotTestingTests, with `tokenvault watch`."""

import concurrent.futures
import http.server
import os
import sys
import threading

from displays import bus_for, display_for
from machine import HERE, Machine, SAMPLES, sample

URL = "URL"
# What prints by itself, and what is read from the bus of screen readers or from the tray's.
WIDGETS = {
    "api-widget": [sample("api-widget/widget.py"), "--follow", URL],
    "headless-agent": [sample("headless-agent/agent"), "--every", "1", URL],
    "account-panel": [f"{HERE}/told", "window", sample("account-panel/panel.py")],
    "tray-badge": [f"{HERE}/told", "tray", sample("tray-badge/badge.py")],
    "waybar": ["tokenvault", "watch", "--format", "waybar"],
    "i3bar": ["tokenvault", "watch", "--format", "i3bar"],
}


class API(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"name":"Ada"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def play(widget, scenario, url):
    """What the judge says where a rule is broken; None where all are kept."""
    with Machine() as machine:
        if widget in ("account-panel", "tray-badge"):
            bus_for(machine)
        if widget == "account-panel":
            display_for(machine)
        words = [url if word == URL else word for word in WIDGETS[widget]]
        done = machine.run(
            "tokenvault", "simulate", "run", f"{SAMPLES}/scenarios/{scenario}", "--speed", "4",
            "--within", "2s", "--blank", "20s", "--", *words, seconds=120)
        return None if done.returncode == 0 else f"{widget}, {scenario}\n{done.stdout}{done.stderr}"


def scenarios_accuse_no_widget():
    scenarios = sorted(os.listdir(f"{SAMPLES}/scenarios"))
    assert len(scenarios) == 10, scenarios
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), API) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/me"
        runs = [(widget, scenario, url) for scenario in scenarios for widget in WIDGETS]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(lambda run: play(*run), runs))
        # Two may be late once, as a machine may be busy: they are named, and play by themselves.
        late = [(run, outcome) for run, outcome in zip(runs, outcomes) if outcome]
        if len(late) > 2:
            raise AssertionError("\n".join(outcome for _, outcome in late))
        for run, outcome in late:
            print(f"PLAYED AGAIN BY ITSELF: {run[:2]}: {outcome}", file=sys.stderr)
            if again := play(*run):
                raise AssertionError(again)
        server.shutdown()


CASES = [scenarios_accuse_no_widget]
