"""mutt and msmtp, by OAUTHBEARER and by XOAUTH2."""

import contextlib
import os
import pty
import threading

from documented import lines
from dovecot import MailMachine
from machine import expect
from servers import sink
from steps import revoke, shell, token_of


def on_terminal(machine, words):
    """Runs a program that wants a terminal; what it shows there is kept."""
    leader, follower = pty.openpty()

    def drain():
        with contextlib.suppress(OSError), open(f"{machine.path}/screen.log", "ab", 0) as screen:
            while True:
                screen.write(os.read(leader, 65536))

    threading.Thread(target=drain, daemon=True).start()
    child = machine.start("terminal", *words, stdin=follower, stdout=follower,
                          start_new_session=True)
    os.close(follower)
    code = child.wait(30)
    os.close(leader)
    return code


def configure_mutt(machine, more):
    text = lines("set imap_user", 'smtp_oauth_refresh_command = "tokenvault token"',
                 {"ada@mail.example": "alice-0001"})
    machine.environment |= {"TERM": "xterm", "EMAIL": "ada@mail.example"}
    machine.write("muttrc", f"""{text}
set certificate_file = "{machine.path}/authority.pem"
{more}
""")


def mutt_reads_a_message(machine, _):
    configure_mutt(machine, f"""
set folder = "imaps://127.0.0.1:{machine.imap}/" spoolfile = "+INBOX" wait_key = no
push "<pipe-message>cat >{machine.path}/read<enter><quit>"
""")
    code = on_terminal(machine, ["mutt", "-n", "-F", f"{machine.path}/muttrc"])
    expect(code == 0 and "A body to be read." in machine.text("read"), "mutt", code)


def mutt_sends_a_message(machine, relay):
    configure_mutt(machine, f"""
set smtp_url = "smtp://alice-0001@127.0.0.1:{machine.submission}/" copy = no
""")
    arrives(machine, relay, "-s 'from mutt' -F {path}/muttrc -n", "mutt")


def msmtp_sends_a_message(machine, relay):
    text = lines("auth oauthbearer", "tokenvault token\"",
                 {"ada@mail.example": "alice-0001", "oauthbearer": machine.mechanism})
    machine.write("msmtprc", f"""account default
{text}
host 127.0.0.1
port {machine.submission}
tls on
tls_trust_file {machine.path}/authority.pem
from ada@mail.example
""")
    arrives(machine, relay, "-C {path}/msmtprc", "msmtp")
    machine.restart_host()
    revoke(machine, token_of(machine))
    expect(send(machine, "-C {path}/msmtprc", "msmtp").returncode != 0, "a revoked token was taken")
    expect(machine.run("tokenvault", "renew").returncode == 0, "a renewal")
    arrives(machine, relay, "-C {path}/msmtprc", "msmtp")


def send(machine, options, program):
    return shell(machine, f"{program} {options.format(path=machine.path)} bob@mail.example"
                 f" <<<$'Subject: from {program}\\n\\nA body to be sent.'")


def arrives(machine, relay, options, program):
    """Has a program send a message, and looks for it at the next server."""
    before = len(relay.mails)
    done = send(machine, options, program)
    expect(done.returncode == 0, done)
    expect(len(relay.mails) == before + 1 and "A body to be sent." in relay.mails[-1], relay.mails)


def with_each_mechanism(case):
    """A case beside a Dovecot that has OAUTHBEARER (RFC 7628) only, and one that has XOAUTH2 only."""
    def cases():
        for mechanism in ("oauthbearer", "xoauth2"):
            with sink() as relay, MailMachine(mechanism, relay.port) as machine:
                case(machine, relay)

    cases.__name__ = case.__name__
    return cases


CASES = [with_each_mechanism(case) for case in (
    mutt_reads_a_message, mutt_sends_a_message, msmtp_sends_a_message)]
