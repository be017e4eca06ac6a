package import SessionModel

/// Where a snapshot is: a namespace of an access group.
package struct SnapshotPlace: Sendable, Hashable, CustomStringConvertible {
  /// The access group.
  package let accessGroup: AccessGroup
  /// The namespace.
  package let namespace: Namespace

  /// Creates a place.
  package init(accessGroup: AccessGroup = .default, namespace: Namespace) {
    self.accessGroup = accessGroup
    self.namespace = namespace
  }

  /// `namespace (group)`.
  package var description: String { "\(namespace) (\(accessGroup))" }
}
