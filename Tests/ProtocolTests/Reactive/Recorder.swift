import BusdProtocol

/// A listener that records its values.
final class Recorder<Value> {
    private(set) var values: [Value] = []
    var whenReceived: (Value) -> Void = { _ in }

    init() {}

    init(_ source: BindingSource<Value>) { listen(to: source) }

    func listen(to source: BindingSource<Value>) { source.bind(self) { $0.receive($1) } }

    func receive(_ value: Value) {
        values.append(value)
        whenReceived(value)
    }

    /// The values since the last call.
    func take() -> [Value] {
        defer { values = [] }
        return values
    }
}
