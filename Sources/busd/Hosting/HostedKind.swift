import BusdBroker
package import BusdProtocol

/// An event that views can send.
package struct SendableEvent: Sendable {
    package let name: String
    /// Names under which it is accepted, too.
    package let formerNames: [String]
    /// Matches all view models of its kind, and no others; `nil`: they may be anywhere.
    package let place: Pattern?

    package init(name: String, formerNames: [String] = [], place: Pattern? = nil) {
        (self.name, self.formerNames, self.place) = (name, formerNames, place)
    }
}

/// A type-erased kind of view model: how the host creates it, starts it, and calls it.
protocol HostedKind: AnyObject {
    /// The kind, as the bus sees it.
    var kind: Kind { get }

    /// `nil` if there is nothing at this address.
    func make(at address: Address) -> AnyObject?
    func start(_ model: AnyObject, _ exit: Exit)
    func subject(of model: AnyObject) -> Subject?
    func canSleep(_ model: AnyObject) -> Bool
    /// The draft as JSON; `nil` if there is none to save.
    func draft(of model: AnyObject) -> [UInt8]?
    /// Throws if the bytes are not a draft of the kind.
    func restore(_ draft: [UInt8], of model: AnyObject) throws(WireError)
    func isBusy(_ model: AnyObject) -> Bool
    func snapshot(_ model: AnyObject, report: () -> BusReport) -> Snapshot
    func report(_ report: BusReport, to model: AnyObject)
    /// Numbers the events of the kind, if that has not been done yet.
    func numberEvents()
    /// The events of views, with their former names.
    var sendableEvents: [SendableEvent] { get }
}

/// The kind of all view models of one type.
final class ModelKind<Model: HostedViewModel>: HostedKind {
    private let services: Model.Services
    private let traits: KindTraits
    /// Lazy, because reading the examples takes long.
    private lazy var names = EventNames(
        Model.ViewModelEvent.examples.map { $0.name }, numbers,
        unlisted: { [missing] json in
            let name = json.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
            missing.note(String(decoding: name, as: UTF8.self), in: "ViewModelEvent")
        })
    private let numbers: EventNumbers
    private let missing: MissingExamples
    private lazy var viewEventNames = Model.ViewEvent.examples.map { $0.name }
    /// Events that were read from bare names, at most one per name. The arrays are replaced, not
    /// changed: so no access needs a run-time exclusivity check.
    private var bareEvents: [Model.ViewEvent] = []
    private var bareNames: [String] = []

    /// - Parameters:
    ///   - numbers: those of the events of all kinds.
    ///   - faults: those of the kind are added.
    init(services: Model.Services, _ numbers: EventNumbers, _ faults: Faults) {
        self.services = services
        self.numbers = numbers
        missing = MissingExamples(of: Model.Kind.name, faults)
        var traits: KindTraits = []
        if Model.self is any DurableViewModel.Type { traits.insert(.durable) }
        if Model.self is any DraftingViewModel.Type { traits.insert(.draft) }
        if Model.awaitsOutcomes { traits.insert(.awaitsOutcomes) }
        if Model.self is any AdministrativeViewModel.Type { traits.insert(.administrative) }
        if Model.placement == .perConnection { traits.insert(.perConnection) }
        self.traits = traits
    }

    var kind: Kind {
        Kind(
            name: Model.Kind.name, placement: Model.placement, traits: traits,
            description: { self.description }, thing: { Model.thing(at: $0) },
            decode: { event throws(WireError) in try self.decode(event) })
    }

    func numberEvents() { _ = names }

    var sendableEvents: [SendableEvent] {
        viewEventNames.map { name in
            let former = Model.Kind.formerNames.filter { name.isExactly($0.value) }
            return SendableEvent(
                name: name, formerNames: former.map(\.key),
                place: Model.placement.pattern(of: Model.Kind.name))
        }
    }

    /// Lazy, because reading all examples takes long.
    private lazy var description = KindDescription(
        name: Model.Kind.name, viewEvents: EventDescription.all(of: Model.ViewEvent.self),
        viewModelEvents: EventDescription.all(of: Model.ViewModelEvent.self),
        limits: Model.Kind.limits)

    func make(at address: Address) -> AnyObject? { Model(at: address, services: services) }

    func start(_ model: AnyObject, _ exit: Exit) {
        guard let model = model as? Model else { return }
        model.startOnce()
        model.output.listen { [names] event in exit.emit(event, names) }
    }

    func subject(of model: AnyObject) -> Subject? {
        (model as? any DurableViewModel)?.subject ?? (model as? any DraftingViewModel)?.subject
    }

    /// A view model cannot sleep while its subject has a pending action.
    func canSleep(_ model: AnyObject) -> Bool {
        guard let model = model as? any DurableViewModel else { return false }
        return model.canSleep && !model.subject.isPending
    }

    func draft(of model: AnyObject) -> [UInt8]? {
        (model as? any DraftingViewModel)?.encodedDraft
    }

    func restore(_ draft: [UInt8], of model: AnyObject) throws(WireError) {
        try (model as? any DraftingViewModel)?.restore(draft)
    }

    func isBusy(_ model: AnyObject) -> Bool { (model as? Model)?.isBusy == true }

    func snapshot(_ model: AnyObject, report: () -> BusReport) -> Snapshot {
        encode(values(of: model, report))
    }

    private func encode(_ events: [Model.ViewModelEvent]) -> Snapshot {
        var snapshot = Snapshot()
        for event in events {
            var json = JSONWriter()
            // An event that cannot be written as JSON is left out, as when it is emitted.
            guard (try? json.value(event: event)) != nil else { continue }
            snapshot.append(json.bytes, names)
        }
        return snapshot
    }

    private func values(
        of model: AnyObject, _ report: () -> BusReport
    ) -> [Model.ViewModelEvent] {
        if let reporting = model as? any ReportingViewModel {
            return reporting.show(report()) as? [Model.ViewModelEvent] ?? []
        }
        return (model as? Model)?.output.current ?? []
    }

    func report(_ report: BusReport, to model: AnyObject) {
        (model as? any ReportingViewModel)?.handle(report)
    }

    private func decode(_ event: Request.Event) throws(WireError) -> DecodedEvent {
        let event = try event.kind == .text ? bareEvent(event) : read(event)
        return DecodedEvent { (model: AnyObject) throws(WireError) in
            guard let model = model as? Model else { return HandledEvent() }
            if let refusal = model.refusal(of: event) { throw refusal.error(of: event.name) }
            return HandledEvent(
                isDurable: model.isDurable(event), hasChanged: model.changes(handling: event))
        }
    }

    private func read(_ event: JSONValue) throws(WireError) -> Model.ViewEvent {
        do {
            return try Model.ViewEvent(plainly: event)
        } catch {
            return try readOther(event)
        }
    }

    /// Reads an event with a custom form; throws for an invalid event.
    private func readOther(_ event: JSONValue) throws(WireError) -> Model.ViewEvent {
        var members = event.members
        guard let (key, _) = members.next(), members.next() == nil else {
            throw WireError(
                .badEvent, "an event is an object with one key, or its bare name", path: "event")
        }
        guard viewEventNames.contains(where: key.isExactly(text:)) else {
            let name = key.text ?? ""
            let shown = name.clipped
            // A name that is clipped is no case's, and costs much to decode.
            if shown.isExactly(name),
                (try? event.decode(Model.ViewEvent.self, at: "event")) != nil
            {
                missing.note(name, in: "ViewEvent")
            }
            throw WireError(
                .unknownEvent, "`\(Model.Kind.name)` has no event `\(shown)`",
                path: "event.\(shown)",
                suggestions: Suggestions.near(name, among: viewEventNames))
        }
        return try event.decode(Model.ViewEvent.self, at: "event")
    }

    /// Reads an event that was sent as a bare name, as if it were an object without members.
    private func bareEvent(_ name: JSONValue) throws(WireError) -> Model.ViewEvent {
        if let known = bareNames.firstIndex(where: name.isExactly(text:)) {
            return bareEvents[known]
        }
        let text = name.text ?? ""
        var whole = JSONWriter()
        whole.object { out in
            out.key(named: text)
            out.object { _ in }
        }
        let document = JSONDocument()
        // The marks of the name have been counted before.
        var limits = Limits()
        limits.marks = .max
        try document.read(whole.bytes, limits: limits)
        guard let root = document.root else { throw WireError(.internal, "an event is lost") }
        let event = try read(root)
        bareNames = bareNames + [text]
        bareEvents = bareEvents + [event]
        return event
    }
}

extension Refusal {
    /// - Parameter event: the name of the refused event.
    fileprivate func error(of event: String) -> WireError {
        guard code == .badEvent else { return WireError(code, message) }
        return WireError(code, message, path: "event.\(event)" + (path.map { ".\($0)" } ?? ""))
    }
}

extension Placement {
    /// Matches the view models of a kind; `nil`: they may be anywhere.
    fileprivate func pattern(of kind: String) -> Pattern? {
        switch self {
        case .fixed(let address): Pattern(address)
        case .onDemand, .perConnection: Pattern("\(kind)/*")
        case .added: nil
        }
    }
}
