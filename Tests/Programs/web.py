"""curl, a program that reads a token's file, and kubectl."""

import json
import subprocess

from documented import lines
from machine import RealMachine, expect
from servers import Kubernetes, serving
from steps import make_certificate, revoke, shell, token_of


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
    # curl knows no such variable: a shell reads the file for it.
    with RealMachine("--lifetime", "60s") as machine:
        text = lines(
            "tokenvault run --token-file", "me'", {"https://api.example/me": machine.url})
        done = shell(machine, text)
        expect(done.returncode == 0 and '"name":"Alice"' in done.stdout, text, done)


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
         a_program_reads_the_tokens_file, kubectl_gets_a_credential]
