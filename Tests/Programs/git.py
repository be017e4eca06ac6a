"""git and its credential helper, against `git http-backend`."""

import os

from documented import lines
from machine import RealMachine, expect
from servers import Everybody, Git, serving
from steps import revoke, shell, token_of


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


CASES = [git_clones_and_fetches_after_a_renewal, git_has_a_refused_token_replaced,
         git_gives_no_other_host_the_token]
