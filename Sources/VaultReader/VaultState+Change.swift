extension VaultState {
  /// Compares with an earlier state; that time goes by is no difference.
  ///
  /// - Parameter earlier: an earlier state of the same namespace.
  /// - Returns: whether both say the same.
  package func saysTheSame(as earlier: VaultState) -> Bool {
    hasSameSnapshot(as: earlier) && session == earlier.session && host == earlier.host
      && silence == earlier.silence && detail == earlier.detail
  }

  /// Compares the snapshot with an earlier state's.
  ///
  /// - Parameter earlier: an earlier state of the same namespace.
  /// - Returns: whether both are of one snapshot, or both of none.
  package func hasSameSnapshot(as earlier: VaultState) -> Bool {
    life == earlier.life && generation == earlier.generation
      && publishedAt == earlier.publishedAt
  }

  /// Compares the account with an earlier state's.
  ///
  /// - Parameter earlier: an earlier state of the same namespace.
  /// - Returns: whether both name an account, and not the same one.
  package func isOfAnotherAccount(than earlier: VaultState) -> Bool {
    guard let accountFingerprint, let old = earlier.accountFingerprint else { return false }
    return accountFingerprint != old
  }
}
