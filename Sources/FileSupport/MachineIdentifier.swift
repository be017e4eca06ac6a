/// Reads the machine's identifier (`machine-id(5)`); empty where there is none.
///
/// - Returns: at most 64 bytes, without white space.
package func machineIdentifier() -> [UInt8] {
  let bytes = (try? readSystemFile("/etc/machine-id", limit: 64)) ?? []
  return bytes.filter { $0 > 0x20 }
}
