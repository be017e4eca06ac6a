import FileSupport
import HostControl

extension VaultExamination {
  /// What follows from what this machine gives to all programs of the user.
  static func machine(_ facts: VaultFacts) -> [Finding] {
    inotify(facts) + (facts.unit.map { [unit($0)] } ?? []) + hosts(facts)
  }

  /// What follows from where the directories are kept.
  static func fileSystems(_ facts: VaultFacts) -> [Finding] {
    var findings: [Finding] = []
    if let runtime = facts.runtime.first(where: \.isRemote) {
      findings.append(
        Finding(
          "file-system", .advice,
          "\(runtime.path) is on a network file system: changes are polled for, not told",
          mend: "set TOKENVAULT_RUNTIME_DIR to a directory of this machine"))
    }
    if let state = facts.state, state.isRemote {
      findings.append(
        Finding(
          "file-system", .advice,
          "\(state.path) is on a network file system, where another machine's host may find it",
          mend: "set TOKENVAULT_STATE_DIR to a directory of this machine"))
    }
    if let keys = facts.keys, keys.isRemote {
      findings.append(
        Finding(
          "file-system", .advice,
          "\(keys.path) is on a network file system: whoever runs that has the host's keys",
          mend: "set TOKENVAULT_KEY_DIR to a directory of this machine"))
    }
    return findings
  }

  private static func inotify(_ facts: VaultFacts) -> [Finding] {
    let check = "inotify"
    guard let limits = facts.inotify else {
      return [
        Finding(
          check, .advice, "the limits of inotify cannot be read; watchers may have to poll",
          mend: "mount /proc")
      ]
    }
    let (instances, watches, used) = (limits.instances, limits.watches, limits.instancesInUse)
    let raise = "run: sudo sysctl fs.inotify.max_user_"
    if !limits.isInstanceFree {
      return [
        Finding(
          check, .problem,
          "all \(instances) inotify instances of this user are taken: watchers poll",
          mend: raise + "instances=\(instances * 4)")
      ]
    }
    if !limits.isWatchFree {
      return [
        Finding(
          check, .problem, "all \(watches) inotify watches of this user are taken: watchers poll",
          mend: raise + "watches=\(watches * 4)")
      ]
    }
    if used * 4 >= instances * 3 {
      return [
        Finding(
          check, .advice,
          "\(used) of \(instances) inotify instances of this user are taken, and a watcher needs one",
          mend: raise + "instances=\(instances * 4)")
      ]
    }
    // Debian's kernel gives each user 128 instances and a thousand times as many watches.
    if instances < 128 || watches < 8192 {
      return [
        Finding(
          check, .advice,
          "a user may have \(instances) inotify instances and \(watches) watches",
          mend: "for many widgets, " + raise + "instances=512 fs.inotify.max_user_watches=65536")
      ]
    }
    return [
      Finding(
        check, .fine,
        "\(used) of \(instances) inotify instances are seen in use, and of \(watches) watches some"
          + " are free")
    ]
  }

  private static func unit(_ unit: HostUnit) -> Finding {
    let check = "unit"
    let enable = "run: systemctl --user enable --now tokenvault-host.socket"
    switch unit {
    case .enabled(let path):
      return Finding(check, .fine, "\(path) starts the host when it is needed")
    case .installed(let path):
      return Finding(
        check, .advice, "\(path) is not enabled, so nothing starts the host", mend: enable)
    case .missing:
      return Finding(
        check, .advice, "no unit tokenvault-host.service is installed, so nothing starts the host",
        mend: "run: make install-units; then \(enable)")
    case .broken(let path, let program):
      return Finding(
        check, .problem, "\(path) starts \(program), which cannot be run",
        mend: "install both with the same PREFIX: make install install-units")
    }
  }

  // Each holds the lock of its own directories, so no lock tells of two that share an account.
  private static func hosts(_ facts: VaultFacts) -> [Finding] {
    guard facts.hosts.count > 1, let last = facts.hosts.last else { return [] }
    let others = facts.hosts.dropLast().map(String.init).joined(separator: ", ")
    return [
      Finding(
        "hosts", .advice,
        "\(facts.hosts.count) hosts of this user run, as the processes \(others) and \(last): two"
          + " that renew the same session end it",
        mend: "if one will do, stop the others: kill PROCESS")
    ]
  }
}
