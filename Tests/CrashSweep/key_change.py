"""The key change under strace from its start on, and where it leaves the key."""

import machine as machines
import tracing

IN_FORCE = "the new key is in force"


def tracer(log, inject=None):
    """The command line of strace before that of a program whose one thread makes the calls."""
    return ["strace", "-yy", "-s", "16", "-o", str(log)] + (["-e", f"inject={inject}"] if inject else [])


def trace(machine, log):
    """Lists the calls of a key change that nothing happens to."""
    command = machine.rekey(*tracer(log))
    _, complaint = command.communicate(timeout=60)
    if command.returncode:
        raise machines.Broken(f"the key cannot be changed: {complaint}")
    machine.start_as_kept()
    return tracing.calls(log.read_text(errors="replace").splitlines(), alone=0)


def run(machine, operation, point, log, result):
    """Changes the key while something happens, and starts the host with the key that is in force.

    Returns whether somebody was told that it is done.
    """
    command = machine.rekey(*tracer(log, point.inject))
    _, complaint = command.communicate(timeout=60)
    lines = log.read_text(errors="replace").splitlines()
    is_kill = point.fault == "KILL"
    result["hit"] = lines[-1:] == ["+++ killed by SIGKILL +++"] if is_kill else any(
        "(INJECTED)" in line for line in lines)
    failures = result["failures"]
    is_done = command.returncode == 0
    if command.returncode < 0 and not (is_kill and result["hit"]):
        failures.append(f"the key change ended with {command.returncode}")
    if point.fault.endswith("+") and command.returncode != 73:
        failures.append(f"the key change ends with {command.returncode} instead of 73")
    machine.start_as_kept()
    is_new = machine.kept == operation.wanted
    # Whoever was told where the key is finds it there.
    if is_done and not is_new or not is_done and is_new != (IN_FORCE in complaint) and not is_kill:
        failures.append(f"the key is in the {machine.kept}, but it said: {complaint.strip()}")
    return is_done
