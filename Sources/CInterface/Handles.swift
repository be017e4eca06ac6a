import CTokenVault

/// Hands an object to C, which gives it back for `release`.
func handle(_ object: some AnyObject) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a handle; nil for NULL.
func object<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) -> Object? {
  unsafe handle.map { handle in
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }
}

/// Lets go of the object behind a handle; NULL has none.
func release<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) {
  guard let handle = unsafe handle else { return }
  unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// A status as a function returns it.
func status(_ number: tokenvault_status) -> CInt { CInt(number.rawValue) }
