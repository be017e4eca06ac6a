private import CQREncode
internal import Glibc

/// A QR code that a terminal can show: two modules in each character cell.
package struct QRCode: Sendable, Equatable {
  /// The colours of the terminal; a scanner needs dark modules on a light ground.
  package enum Background: Sendable {
    /// Light letters on a dark ground: the light modules are drawn.
    case dark

    /// Dark letters on a light ground: the dark modules are drawn.
    case light
  }

  /// How many modules a side has, without the quiet zone.
  package let size: Int

  private let modules: [Bool]

  // ISO/IEC 18004 asks for four light modules on every side.
  private static let quietZone = 4

  /// Encodes text (QRcode_encodeData, error correction level M).
  ///
  /// - Parameter text: What a scanner shall read, usually a verification URI.
  /// - Throws: `QRCodeError` when the text is empty or too long.
  package init(_ text: String) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard let code = unsafe QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M)
    else {
      let code = errno
      throw code == ERANGE ? .tooLong(bytes: bytes.count) : .system(errno: code)
    }
    defer { unsafe QRcode_free(code) }
    size = Int(unsafe code.pointee.width)
    modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size)
      .map { $0 & 1 == 1 }
  }

  /// Returns whether the module is dark; everything outside the code is light.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }

  /// Returns the code as lines of half blocks, with the quiet zone.
  package func lines(on background: Background) -> [String] {
    let range = -Self.quietZone..<(size + Self.quietZone)
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      range.map { column in
        let upper = isDrawn(row: row, column: column, on: background)
        let lower =
          row + 1 < range.upperBound && isDrawn(row: row + 1, column: column, on: background)
        return switch (upper, lower) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
      }.joined()
    }
  }

  private func isDrawn(row: Int, column: Int, on background: Background) -> Bool {
    isDark(row: row, column: column) == (background == .light)
  }
}

/// Why text could not be made a QR code.
package enum QRCodeError: Error, Equatable, Sendable {
  /// There is no text.
  case empty

  /// The text does not fit the largest code.
  case tooLong(bytes: Int)

  /// libqrencode failed.
  case system(errno: Int32)
}

extension QRCodeError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .empty: "there is no text to show as a QR code"
    case .tooLong(let bytes):
      "\(bytes) bytes do not fit a QR code (2331 at most): type the address instead"
    case .system(let code):
      "the QR code could not be made: \(unsafe String(cString: strerror(code)))"
    }
  }
}
