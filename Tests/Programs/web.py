"""curl, git and kubectl, and what reads a token's file."""

import json
import os
import subprocess
import urllib.parse
import urllib.request

from documented import lines
from machine import RealMachine, expect
from servers import Everybody, Git, Kubernetes, serving

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


def a_token_that_can_be_seen_is_noticed():
    with RealMachine("--lifetime", "60s") as machine:
        for text in ("/bin/echo $(tokenvault token)", "tokenvault run -- true"):
            try:
                shell(machine, text)
            except AssertionError as error:
                expect(str(error) == "the token can be seen", error)
            else:
                raise AssertionError(f"it was not noticed: {text}")


def curl_reads_the_token_from_a_pipe():
    with RealMachine("--lifetime", "60s") as machine:
        for first in ("curl --config", "curl -H @<", "tokenvault token"):
            text = lines(first, "me", {"https://api.example/me": machine.url})
            done = shell(machine, text)
            expect(done.returncode == 0 and '"name":"Alice"' in done.stdout, text, done)


def a_program_reads_the_tokens_file():
    # No program of Debian reads BEARER_TOKEN_FILE from itself over HTTP: curl is told to.
    with RealMachine("--lifetime", "60s") as machine:
        text = lines(
            "tokenvault run --token-file", "me'", {"https://api.example/me": machine.url})
        done = shell(machine, text)
        expect(done.returncode == 0 and '"name":"Alice"' in done.stdout, text, done)


def repository(machine):
    """A repository with one commit, in a directory of its own."""
    root, work = f"{machine.path}/repositories", f"{machine.path}/work"
    os.mkdir(root)
    machine.environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    git(machine, "init", "-q", "-b", "main", work)
    git(machine, "-C", work, "-c", "user.name=Ada", "-c", "user.email=ada@git.example",
        "commit", "-q", "--allow-empty", "-m", "a commit to be cloned")
    git(machine, "clone", "-q", "--bare", work, f"{root}/project.git")
    return root


def git(machine, *words, code=0):
    done = machine.run("git", *words)
    expect(done.returncode == code, done, "expected:", code)
    return done


def configure_git(machine, address):
    text = lines("git config --global credential", "--host git.example'",
                 {"https://git.example": f"http://{address}", "git.example": address})
    done = shell(machine, text)
    expect(done.returncode == 0, done)


def git_clones_and_fetches_after_a_renewal():
    with RealMachine("--lifetime", "60s") as machine:
        with serving(Git, machine.issuer, repository(machine)) as server:
            url = f"http://{server.address}/project.git"
            git(machine, "ls-remote", url, code=128)
            configure_git(machine, server.address)
            clone = f"{machine.path}/clone"
            done = shell(machine, f"git clone -q {url} {clone}")
            expect(done.returncode == 0, done)
            log = git(machine, "-C", clone, "log", "--format=%s").stdout
            expect(log == "a commit to be cloned\n", log)
            first = token_of(machine)
            expect(server.tokens[-1] == first, "git did not send the token")
            machine.restart_host()
            expect(machine.run("tokenvault", "renew").returncode == 0, "a renewal")
            git(machine, "-C", clone, "fetch", "-q")
            expect(server.tokens[-1] == token_of(machine) != first, "git sent another token")


def git_has_a_refused_token_replaced():
    with RealMachine("--lifetime", "60s") as machine:
        with serving(Git, machine.issuer, repository(machine)) as server:
            url = f"http://{server.address}/project.git"
            configure_git(machine, server.address)
            refused = token_of(machine)
            machine.restart_host()
            revoke(machine, refused)
            git(machine, "ls-remote", url, code=128)
            expect(server.tokens[-1] == refused, "git did not send the token")
            next = machine.run("tokenvault", "token", "--no-renew").stdout.strip()
            expect(next not in ("", refused), "git's erase did not have the token replaced")
            expect(machine.asked("token refresh_token") == 1, "renewals")
            git(machine, "ls-remote", url)
            expect(server.tokens[-1] == next, "git sent another token")


def git_gives_no_other_host_the_token():
    with RealMachine("--lifetime", "60s") as machine:
        with serving(Git, machine.issuer, repository(machine)) as server, \
                serving(Everybody, machine.issuer) as other:
            # Without a scope in git's configuration, the helper is asked for every host.
            git(machine, "config", "--global", "credential.helper",
                f"!tokenvault git-credential --host {server.address}")
            git(machine, "ls-remote", f"http://{server.address}/project.git")
            done = git(machine, "ls-remote", f"http://{other.address}/project.git", code=128)
            expect(set(other.tokens) == {""}, "another host was offered something")
            expect("tokenvault" not in done.stderr, done.stderr)
            done = git(machine, "ls-remote", f"http://{server.address}@{other.address}/x", code=128)
            expect(token_of(machine) not in "".join(other.tokens), "another host has the token")
            expect(machine.asked("token refresh_token") == 0, "another host had the token renewed")


def kubectl_gets_a_credential():
    told = json.loads(subprocess.run(
        ["kubectl", "version", "--client", "-o", "json"], capture_output=True, check=True).stdout)
    # Debian's 1.20 has not heard of v1.
    is_old = int(told["clientVersion"]["minor"].rstrip("+")) < 22
    for version in ["v1beta1"] if is_old else ["v1beta1", "v1"]:
        with RealMachine("--lifetime", "60s") as machine:
            certificate = make_certificate(machine)
            with serving(Kubernetes, machine.issuer, certificate=certificate) as server:
                get_with_kubectl(machine, server, certificate, version)


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


def get_with_kubectl(machine, server, certificate, version):
    machine.environment["KUBECONFIG"] = f"{machine.path}/kubeconfig"
    user = lines("users:", "Never", {"k8s.io/v1": f"k8s.io/{version}"})
    with open(f"{machine.path}/kubeconfig", "w") as file:
        file.write(f"""{user}
apiVersion: v1
kind: Config
clusters:
- name: here
  cluster: {{server: "https://{server.address}", certificate-authority: {certificate}}}
contexts:
- {{name: here, context: {{cluster: here, user: me}}}}
current-context: here
""")
    first = token_of(machine)
    done = shell(machine, "kubectl get --raw /api")
    expect(done.returncode == 0 and "APIVersions" in done.stdout, version, done)
    expect(server.tokens[-1] == first, "kubectl did not send the token")
    machine.restart_host()
    revoke(machine, first)
    refused = machine.run("kubectl", "get", "--raw", "/api")
    expect(refused.returncode != 0 and server.tokens[-1] == first, "a revoked token was taken")
    expect(machine.run("tokenvault", "renew").returncode == 0, "a renewal")
    done = machine.run("kubectl", "get", "--raw", "/api")
    expect(done.returncode == 0 and server.tokens[-1] == token_of(machine) != first, version, done)


CASES = [a_token_that_can_be_seen_is_noticed, curl_reads_the_token_from_a_pipe,
         a_program_reads_the_tokens_file,
         git_clones_and_fetches_after_a_renewal, git_has_a_refused_token_replaced,
         git_gives_no_other_host_the_token, kubectl_gets_a_credential]
