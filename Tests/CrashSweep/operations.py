"""What the host is doing when something happens to it."""

import threading

import machine as machines


class Operation:
    """One thing that people have a host do."""
    name = ""
    held = None         # the request whose answer is waited for with a thread traced
    is_program = False  # whether a program by itself does it, while no host runs
    command = ()

    def prepare(self, machine):
        """Brings the machine to where the operation begins."""

    def trigger(self, machine):
        """Begins it; the command that ends with it."""
        return machine.command(*self.command)

    def is_fit(self, ending, is_told):
        """Whether what a restart ended in is what may be there after this.

        Whoever was told that it is done finds it done.
        """
        return ending == "valid" or ending == "reauthentication" and not is_told


class Renewal(Operation):
    name, held, command = "renewal", "token", ("renew", "primary")


class Publish(Operation):
    """The snapshot is gone, as after a cleaner of runtime directories, and somebody asks for it."""
    name, command = "publish", ("token",)

    def prepare(self, machine):
        machine.snapshot.unlink()


class SignIn(Operation):
    """From the browser's return on, beside a session that is to be replaced."""
    name, held = "sign-in", "token"

    def prepare(self, machine):
        self.waiting, self.redirect = machine.begin_sign_in()

    def trigger(self, machine):
        threading.Thread(target=machines.deliver, args=[self.redirect, self.waiting], daemon=True).start()
        return self.waiting


class SignOut(Operation):
    name, held, command = "sign-out", "revoke", ("sign-out", "primary", "--json")

    def is_fit(self, ending, is_told):
        return ending == "signed-out" or ending == "valid" and not is_told


class KeyChange(Operation):
    """`tokenvault-host rekey`: from a key file to a key that a credential opens."""
    name, is_program = "key-change", True
    former, wanted = machines.KEYS

    def prepare(self, machine):
        if machine.kept != self.former:
            machine.configure(self.former)
            command = machine.rekey()
            _, complaint = command.communicate(timeout=60)
            if command.returncode:
                raise machines.Broken(f"the key does not come back: {complaint}")
            machine.kept = self.former
        machine.configure(self.wanted)

    def is_fit(self, ending, is_told):
        # No request is sent by it, so that none can be lost.
        return ending == "valid"


ALL = {each.name: each for each in (Renewal(), SignIn(), Publish(), SignOut(), KeyChange())}
