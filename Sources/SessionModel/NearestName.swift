/// Finds the name that a person most likely meant, for "did you mean".
package enum NearestName {
  /// The candidate nearest to a misspelt name, or nil when none is near enough to be meant.
  ///
  /// - Parameters:
  ///   - name: The name as it was written.
  ///   - candidates: The names that are known; the earlier one wins a tie.
  /// - Returns: A candidate that differs in a third of its letters at most, or in case alone.
  package static func of(_ name: String, in candidates: [String]) -> String? {
    let written = Array(name.lowercased().utf8)
    // Longer than any name that exists: comparing would only cost time.
    guard (1...64).contains(written.count) else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let right = Array(candidate.lowercased().utf8)
      let distance = self.distance(written, right)
      let limit = max(1, max(written.count, right.count) / 3)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one name into another.
  ///
  /// - Parameters:
  ///   - left: One name's bytes.
  ///   - right: The other name's bytes.
  /// - Returns: The optimal string alignment distance.
  package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let differs = left[row - 1] == right[column - 1] ? 0 : 1
        var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + differs)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          best = min(best, beforeLast[column - 2] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
