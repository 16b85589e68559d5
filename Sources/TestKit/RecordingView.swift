public import BusdProtocol
public import Testing

/// A view for tests. It draws nothing, records the events and refusals of its view model, and fails
/// the test for each that was not expected, at the latest when it is released.
///
///     let view = RecordingView(model)
///     view.expect(.count(text: "0"))
///     view.send(.tapped)
///     view.expect(.count(text: "1"))
///
/// It keeps its view model alive.
public final class RecordingView<Model: ViewModel>: View {
    public let output = Output<Model.ViewEvent>()
    /// The view model, which the view keeps alive.
    public let model: Model
    private var unexpected: [Model.ViewModelEvent] = []
    private var refusals: [Refusal] = []
    private let only: Set<String>
    /// The events without an example that were reported.
    private var missing: Set<String> = []
    private let libraries: Libraries?
    private let creationLocation: SourceLocation

    /// Binds to the view model, which starts it. With `only`, events of other names are ignored.
    /// With `libraries`, actions that the view model proposes for an event are applied after it.
    public init(
        _ model: Model, only: Set<String> = [], settling libraries: Libraries? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.model = model
        self.only = only
        self.libraries = libraries
        creationLocation = sourceLocation
        refuseUnknownNames()
        bind(with: model)
    }

    deinit { expectNothing(sourceLocation: creationLocation) }

    public func handle(event: Model.ViewModelEvent) {
        requireExample(of: event, in: "ViewModelEvent")
        if only.isEmpty || only.contains(event.name) { unexpected.append(event) }
    }

    /// Sends an event, as a view does when a key is pressed. As in a daemon, the view model may
    /// refuse the event (`HostedViewModel.refusal(of:)`), and does not handle it then.
    public func send(_ event: Model.ViewEvent) {
        requireExample(of: event, in: "ViewEvent")
        if let refusal = (model as? any HostedViewModel)?.refusal(ofOwn: event) {
            refusals.append(refusal)
            return
        }
        output.send(event)
        libraries?.settle()
    }

    /// Expects these events next, in this order. Later events are left for the next expectation.
    public func expect(
        _ events: Model.ViewModelEvent..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if unexpected.starts(with: events) {
            unexpected.removeFirst(events.count)
        } else {
            fail(expected: events, at: sourceLocation)
        }
    }

    /// Expects that the view model has refused an event, the first one if there are several.
    public func expect(refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation) {
        if refusals.first == refusal {
            refusals.removeFirst()
        } else {
            fail(expected: [refusal], at: sourceLocation)
        }
    }

    /// Expects that no other event has arrived, and that no other event was refused.
    public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        if !unexpected.isEmpty { fail(expected: [Model.ViewModelEvent](), at: sourceLocation) }
        if !refusals.isEmpty { fail(expected: [Refusal](), at: sourceLocation) }
    }

    /// Drops the events and refusals so far, for a test that is not about them.
    public func forget() { (unexpected, refusals) = ([], []) }

    /// Reports the difference, and drops the events so that they are reported once.
    private func fail(expected: [Model.ViewModelEvent], at place: SourceLocation) {
        let lines = difference(expected: expected, received: unexpected)
        unexpected = []
        record("events differ (− expected, + received):\n\(lines)", at: place)
    }

    private func fail(expected: [Refusal], at place: SourceLocation) {
        let lines = difference(
            expected: expected.map(\.shown), received: refusals.map(\.shown))
        refusals = []
        record("refusals differ (− expected, + received):\n\(lines)", at: place)
    }

    private func refuseUnknownNames() {
        let unknown = only.subtracting(Model.ViewModelEvent.examples.map(\.name)).sorted()
        if !unknown.isEmpty {
            record(
                "the view model has no event named \(unknown.joined(separator: " or "))",
                at: creationLocation)
        }
    }

    /// Records an issue for an event that the daemon does not know, because its enum has no example
    /// of it. Once per name.
    private func requireExample<Event: WireEvent>(of event: Event, in type: String) {
        let name = event.name
        guard !Event.examples.contains(where: { $0.name == name }),
            missing.insert("\(type).\(name)").inserted
        else { return }
        record(
            "there is no example of \(name): add one to \(type).examples", at: creationLocation)
    }

    private func record(_ text: String, at place: SourceLocation) {
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }
}

extension HostedViewModel {
    /// - Parameter event: one of its `ViewEvent`.
    fileprivate func refusal(ofOwn event: some WireEvent) -> Refusal? {
        (event as? ViewEvent).flatMap(refusal(of:))
    }
}

extension Refusal {
    /// `badEvent at home: the name is too long`
    fileprivate var shown: String { "\(code)\(path.map { " at \($0)" } ?? ""): \(message)" }
}
