import TestSupport
import Testing

/// The table of what people complain of in bars names tests that there are.
@Suite struct BarTableTests {
  /// What the last column of a row names: each between two back quotes, with what is in brackets.
  private struct Proof {
    let name: String
    let place: String?

    static func all(in cell: Substring) -> [Proof] {
      let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
      return stride(from: 1, to: pieces.count - 1, by: 2).map { index in
        let behind = pieces[index + 1]
        let place = behind.hasPrefix(" (") ? behind.dropFirst(2).prefix { $0 != ")" } : nil
        return Proof(name: String(pieces[index]), place: place.map(String.init))
      }
    }
  }

  @Test func eachComplaintHasATestThatExists() throws {
    let root = PackageLayout.root
    let rows = try TestFile.text("\(root)/Sources/StatusBar/BARS.md").split(separator: "\n")
      .map { $0.replacing("\\|", with: "").split(separator: "|") }
      .filter { $0.count == 4 && Int($0[0].drop { $0 == " " }.dropLast()) != nil }
    #expect(rows.map { $0[0] } == (1...29).map { " \($0) " })
    let makefile = try TestFile.text("\(root)/Makefile")
    let bars = try ["kinds", "trays"].map { try TestFile.text("\(root)/Tests/Bars/\($0).py") }
    let files = try SourceTree.swiftFiles(in: ["Tests"]).filter { $0.name.hasSuffix("Tests.swift") }
    for row in rows where row[3] != " not ours to show " {
      let proofs = Proof.all(in: row[3])
      #expect(!proofs.isEmpty, "\(row[0])")
      for proof in proofs {
        if proof.name == "make bars" {
          #expect(makefile.contains("\nbars:"))
          for bar in proof.place?.split(separator: ", ") ?? [] {
            #expect(bars.contains { $0.contains("  name = \"\(bar)\"\n") }, "\(row[0]): \(bar)")
          }
        } else {
          let module = proof.place ?? "StatusBarTests"
          let isThere = files.contains { file in
            file.module == module && file.lines.contains { $0.contains("func \(proof.name)(") }
          }
          #expect(isThere, "\(row[0]): there is no \(proof.name) in \(module)")
        }
      }
    }
  }
}
