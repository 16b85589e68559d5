import BusdProtocol

/// A listener that records its values.
final class Ear<Value> {
    private(set) var heard: [Value] = []
    var whenHeard: (Value) -> Void = { _ in }

    init() {}

    init(_ source: BindingSource<Value>) { listen(to: source) }

    func listen(to source: BindingSource<Value>) { source.bind(self) { $0.hear($1) } }

    func hear(_ value: Value) {
        heard.append(value)
        whenHeard(value)
    }

    /// The values since the last call.
    func take() -> [Value] {
        defer { heard = [] }
        return heard
    }
}
