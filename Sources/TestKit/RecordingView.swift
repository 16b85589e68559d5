public import Protocol
public import Testing

/// A view for tests: it shows nothing, remembers what its view model says, and fails the test for
/// whatever was said and not expected.
///
///     let view = RecordingView(model)
///     view.expect(.count(text: "0"))
///     view.send(.tapped)
///     view.expect(.count(text: "1"))
///
/// It keeps the view model alive.
public final class RecordingView<Model: ViewModel>: View {
    public let output = Output<Model.ViewEvent>()
    public let model: Model
    /// What came and has not been expected yet.
    public private(set) var unexpected: [Model.ViewModelEvent] = []
    private let only: Set<String>
    private let origin: SourceLocation

    /// Binds to the view model, which starts it. With `only`, events of other names go unnoticed.
    public init(
        _ model: Model, only: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.model = model
        self.only = only
        origin = sourceLocation
        bind(with: model)
    }

    deinit { report(expected: [], came: unexpected, at: origin) }

    public func handle(event: Model.ViewModelEvent) {
        guard only.isEmpty || only.contains(event.name) else { return }
        unexpected.append(event)
    }

    /// Sends an event, as a view does when a key is pressed.
    public func send(_ event: Model.ViewEvent) { output.send(event) }

    /// The next events, in this order. More may have come: the next call expects those.
    public func expect(
        _ events: Model.ViewModelEvent..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if unexpected.starts(with: events) {
            unexpected.removeFirst(events.count)
        } else {
            report(expected: events, came: unexpected, at: sourceLocation)
            unexpected = []
        }
    }

    /// Nothing but what has been expected.
    public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        report(expected: [], came: unexpected, at: sourceLocation)
        unexpected = []
    }

    private func report(
        expected: [Model.ViewModelEvent], came: [Model.ViewModelEvent], at place: SourceLocation
    ) {
        guard expected != came else { return }
        Issue.record(Comment(rawValue: difference(expected, came)), sourceLocation: place)
    }
}
