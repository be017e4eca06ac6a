package import FileSupport
import Glibc
import SessionModel
import SnapshotFormat

extension VaultFacts {
  /// The variables that say where to look.
  package static let variables = VaultDirectories.variables + HostUnit.variables

  /// Looks at everything that the environment names; nothing is changed.
  ///
  /// - Parameters:
  ///   - environment: `variables`.
  ///   - user: the effective user.
  ///   - systemService: where a system service has its runtime directory.
  ///   - serviceManager: what there is where systemd runs (`sd_booted(3)`).
  package init(
    environment: Environment, user: UInt32,
    systemService: String = VaultDirectories.systemService,
    serviceManager: String = "/run/systemd/system"
  ) {
    self.init()
    let directories = VaultDirectories(
      environment: environment, user: user, systemService: systemService)
    relativeVariables = VaultDirectories.relativeVariables(in: environment)
    namesRuntime =
      environment.absolutePath("XDG_RUNTIME_DIR") != nil
      || environment.absolutePath("TOKENVAULT_RUNTIME_DIR") != nil
    if !directories.isSystemService {
      runtime = directories.runtimeCandidates.map { look(at: $0) }
    }
    if runtime.allSatisfy({ $0.place == .missing }) {
      switch Self.service(directories, user: user) {
      case .own(let path):
        runtime = [look(at: path, .serviceRuntime)]
        isService = true
      case .another(let found): service = found
      case .unusable(let path, let error): runtime.append(Site(path, .unusable(error)))
      case .none: break
      }
    }
    var names: [String] = []
    state = directories.state.map { path in
      look(at: path) { names = (try? $0.names()) ?? [] }
    }
    hasStore = names.contains(Self.storeName)
    var key = Place.missing
    keys = directories.keys.map { path in
      look(at: path) { key = Self.place(of: Self.masterKeyName, in: $0) }
    }
    masterKey = key
    let processes = UserProcess.all(of: user)
    inotify = InotifyLimits.current(among: processes)
    hosts = processes.filter { $0.name == Self.hostName }.map(\.id)
    if !isService, service == nil, systemDirectoryNames(serviceManager).isEmpty == false {
      unit = HostUnit.find(environment)
    }
  }

  // Names of the host's own, which a reader has no other business with.
  private static let masterKeyName = "master.key"
  private static let storeName = "store"
  private static let hostName = "tokenvault-host"
  // Groups, a group, its namespaces, a namespace, its snapshot; and one more for what is strange.
  private static let depth = 6

  private enum ServiceFound {
    case none
    case own(String)
    case another(Service)
    case unusable(String, FileError)
  }

  private static func service(_ directories: VaultDirectories, user: UInt32) -> ServiceFound {
    guard let path = directories.systemDirectory else { return .none }
    do throws(FileError) {
      guard let top = try directories.openSystemDirectory() else {
        return directories.isSystemService ? .own(path) : .none
      }
      let owner = top.policy.owner
      return owner == user
        ? .own(path)
        : .another(Service(path, owner: owner, defaultGroup: defaultGroup(in: top)))
    } catch {
      return .unusable(path, error)
    }
  }

  private static func defaultGroup(in top: Directory) -> Place {
    do throws(FileError) {
      let group = try top.openIfPresent(SnapshotLayout.groups, isPassage: true)?.openShared(
        AccessGroup.default.name, policy: .systemService(owner: top.policy.owner))
      return group == nil ? .missing : .fine
    } catch {
      return .unusable(error)
    }
  }

  private mutating func look(
    at path: String, _ policy: AccessPolicy = .ownerOnly,
    _ inside: (Directory) -> Void = { _ in }
  ) -> Site {
    let directory: Directory
    do {
      directory = try Directory.open(path: path, policy: policy)
    } catch {
      return Site(path, error.errno?.rawValue == ENOENT ? .missing : .unusable(error))
    }
    do {
      for parent in try ParentDirectories.check(above: path)
      where !groupWritableParents.contains(parent) {
        groupWritableParents.append(parent)
      }
    } catch {
      faults.append(error)
    }
    faults += Self.faults(below: directory, depth: Self.depth).filter { !faults.contains($0) }
    inside(directory)
    var isHeld = false
    do {
      isHeld = try FileLock.isHeld(SnapshotLayout.hostLock, in: directory)
    } catch {
      if !faults.contains(error) { faults.append(error) }
    }
    let kind = try? FileSystemKind(of: directory)
    return Site(path, .fine, isHeld: isHeld, isRemote: kind == .remote)
  }

  private static func faults(below directory: Directory, depth: Int) -> [FileError] {
    guard depth > 0 else { return [] }
    let names: [String]
    do {
      names = try directory.names()
    } catch {
      return [error]
    }
    return names.flatMap { name -> [FileError] in
      // What goes away meanwhile is no fault.
      guard let status = try? FileStatus(of: name, in: directory.rawDescriptor) else { return [] }
      if status.isDirectory {
        do throws(FileError) {
          // The directories of a service's access groups have a rule of their own.
          let isGroup = directory.policy == .serviceRuntime && depth < Self.depth
          return faults(
            below: try directory.openDirectory(
              name, policy: isGroup ? .systemService(owner: directory.policy.owner) : nil),
            depth: depth - 1)
        } catch {
          return error.errno?.rawValue == ENOENT ? [] : [error]
        }
      }
      if status.mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) { return [] }
      if case .unusable(let error) = place(of: name, in: directory) { return [error] }
      return []
    }
  }

  private static func place(of name: String, in directory: Directory) -> Place {
    do {
      return try directory.openFile(name, sizeLimit: .max) == nil ? .missing : .fine
    } catch {
      return .unusable(error)
    }
  }
}
