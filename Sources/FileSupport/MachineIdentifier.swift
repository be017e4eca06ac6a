import Glibc

/// Reads the machine's identifier (`machine-id(5)`); empty where there is none.
///
/// - Returns: at most 64 bytes, without white space.
package func machineIdentifier() -> [UInt8] {
  let path = "/etc/machine-id"
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { return [] }
  let descriptor = FileDescriptor(owning: number)
  let bytes = (try? readToEnd(of: descriptor.rawValue, limit: 64, path: path)) ?? []
  return bytes.filter { $0 > 0x20 }
}
