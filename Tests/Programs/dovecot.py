"""A real Dovecot, which asks the provider who has a token."""

import os
import socket

from machine import RealMachine, expect, plain_user, until
from steps import make_certificate

MESSAGE = """From: Ada <ada@mail.example>
To: Alice <alice@mail.example>
Subject: a subject to be read

A body to be read.
"""
DOVECOT = """
base_dir = {path}/dovecot
state_dir = {path}/dovecot-state
log_path = {path}/dovecot.log
protocols = imap submission
listen = 127.0.0.1
ssl = yes
ssl_cert = <{path}/certificate.pem
ssl_key = <{path}/certificate.pem
auth_mechanisms = {mechanisms}
hostname = mail.example
mail_location = maildir:{path}/mail
last_valid_uid = {user}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {path}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={user} gid={user} home={path}/mail allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {imap}
  }}
}}
service submission-login {{
  inet_listener submission {{
    port = {submission}
  }}
  inet_listener submissions {{
    port = 0
  }}
}}
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
"""
# Dovecot asks as any resource does that has no client secret: whose token is this?
OAUTH2 = """
introspection_mode = auth
introspection_url = {url}
username_attribute = sub
tokeninfo_url =
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class MailMachine(RealMachine):
    """A mailbox of alice's with one message, read and sent from by one mechanism of SASL."""

    def __init__(self, mechanism, relay):
        expect(os.getuid() == 0, "Dovecot wants to be started by root")
        super().__init__("--lifetime", "60s")
        self.mechanism = mechanism
        self.imap, self.submission = free_port(), free_port()
        with self.making():
            self.make_mailbox(plain_user())
            make_certificate(self)
            self.start_dovecot(plain_user(), relay)

    def make_mailbox(self, user):
        os.chmod(self.path, 0o711)
        for name in ("mail", "mail/cur", "mail/new", "mail/tmp"):
            os.mkdir(f"{self.path}/{name}", 0o700)
            os.chown(f"{self.path}/{name}", user, user)
        self.write("mail/new/1.message", MESSAGE)
        os.chown(f"{self.path}/mail/new/1.message", user, user)

    def start_dovecot(self, user, relay):
        self.write("oauth2.conf", OAUTH2.format(url=self.url))
        self.write("dovecot.conf", DOVECOT.format(
            path=self.path, mechanisms=self.mechanism, user=user, imap=self.imap,
            submission=self.submission, relay=relay))
        self.start("dovecot-output", "dovecot", "-F", "-c", f"{self.path}/dovecot.conf")
        until(lambda: all(is_open(port) for port in (self.imap, self.submission)), "Dovecot")

    def write(self, name, text):
        with open(f"{self.path}/{name}", "w") as file:
            file.write(text)
        os.chmod(f"{self.path}/{name}", 0o600)


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
