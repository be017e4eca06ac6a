package import FileSupport

/// What `doctor` sees of a vault on this machine, with nothing concluded from it.
package struct VaultFacts: Sendable, Equatable {
  /// How a directory or file was found.
  package enum Place: Sendable, Equatable {
    /// There is none.
    case missing
    /// It is there, with the right owner and mode.
    case fine
    /// It cannot be used as it is.
    case unusable(FileError)
  }

  /// A directory that is named by the environment.
  package struct Site: Sendable, Equatable {
    /// Its path.
    package var path: String
    /// How it was found.
    package var place: Place
    /// Whether a host has it now.
    package var isHeld: Bool
    /// Whether it can be changed from another machine.
    package var isRemote: Bool

    /// Makes a site.
    package init(_ path: String, _ place: Place, isHeld: Bool = false, isRemote: Bool = false) {
      self.path = path
      self.place = place
      self.isHeld = isHeld
      self.isRemote = isRemote
    }
  }

  /// A system service of another user, from which this user reads.
  package struct Service: Sendable, Equatable {
    /// Its runtime directory.
    package var path: String
    /// The user that it runs as.
    package var owner: UInt32
    /// How the directory of the default access group was found.
    package var defaultGroup: Place

    /// Makes a service.
    package init(_ path: String, owner: UInt32, defaultGroup: Place) {
      self.path = path
      self.owner = owner
      self.defaultGroup = defaultGroup
    }
  }

  /// The variables that are set to something else than an absolute path.
  package var relativeVariables: [String] = []
  /// Whether the environment says where the session's runtime directory is.
  package var namesRuntime = true
  /// Where the runtime directory may be, the best place first.
  package var runtime: [Site] = []
  /// Whether the runtime directory is that of a system service, which this user is.
  package var isService = false
  /// The system service that is read from; nil where this user has a runtime directory.
  package var service: Service?
  /// The host's state; nil where nothing says where it is.
  package var state: Site?
  /// The host's keys; nil where nothing says where they are.
  package var keys: Site?
  /// The host's master key.
  package var masterKey = Place.missing
  /// Whether there are sessions that the master key opens.
  package var hasStore = false
  /// What cannot be used below the directories.
  package var faults: [FileError] = []
  /// The directories above them that a group may write to.
  package var groupWritableParents: [String] = []
  /// The processes of this user that are hosts, wherever they work.
  package var hosts: [Int32] = []
  /// The unit that starts the host; nil where no service manager would look for one.
  package var unit: HostUnit?
  /// What inotify allows; nil where that is not known.
  package var inotify: InotifyLimits?

  /// Makes facts in which nothing has been found.
  package init() {}
}
