/// What a bar has been shown, and whether there is something new for it.
package struct BarDisplay: Sendable {
  private let writer: BarWriter
  private var state: BarState
  private var written: String?

  /// Makes a display that has shown nothing.
  ///
  /// - Parameters:
  ///   - writer: writes the records.
  ///   - state: what there is to show.
  package init(_ writer: BarWriter, state: BarState) {
    self.writer = writer
    self.state = state
  }

  /// Takes a newer state.
  package mutating func take(_ state: BarState) { self.state = state }

  /// The record that is to be written; nil while the bar shows what is right.
  ///
  /// The first one has the opening before it.
  package var due: String? {
    let record = writer.record(of: state)
    guard let written else { return writer.opening + record }
    return record == written ? nil : record
  }

  /// Notes that what is due has been written.
  package mutating func noteWritten() { written = writer.record(of: state) }

  /// How long the shown state stays right although nothing happens; nil for ever.
  package var changesAfter: Duration? { writer.changesAfter(state) }

  /// What a click asks for; nil for a button without a meaning.
  package func action(of click: BarClick) -> BarAction? {
    BarAction.of(button: click.button, in: state.condition)
  }
}
