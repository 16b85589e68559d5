/// Where events come out, of a view and of a view model alike. Several handlers may listen.
///
/// An output knows which of its events are values (`Delivery.latest`): it keeps the newest of each
/// in `current`, which is what a newly bound view is told, and a value that has not changed goes no
/// further. So a view model may announce all that it shows after every change, and only the changes
/// are heard.
///
/// All handlers hear all events in one order: an event that is sent while another is being heard
/// waits until every handler has heard that one.
///
/// Inlinable, so it is specialised for the enum of each caller, which halves its cost.
public final class Output<Event: WireEvent> {
    /// The values as they stand, in the order in which each was first sent.
    @inlinable public var current: [Event] { state.values.events }
    @usableFromInline var state = State()

    /// True once `ViewModel.start()` has been called on the owner of this output.
    var hasStarted = false

    public init() {}

    /// Tells all handlers, unless the event is a value that has not changed.
    @inlinable public func send(_ event: Event) {
        if let (number, listeners) = state.begin(event) { tell(event, number, listeners) }
    }

    /// Sends an edit to all handlers. A handler that is bound later gets `value` instead.
    @inlinable public func send(_ edit: Event, current value: Event) {
        if let (number, listeners) = state.begin(edit, keeping: value) {
            tell(edit, number, listeners)
        }
    }

    /// Withdraws a value: a newly bound view is no longer told of it.
    @inlinable public func withdraw(_ name: String) { state.values.remove(name) }

    /// Hears every event from now on, for as long as `owner` lives. The owner is held weakly.
    public func bind<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Event) -> Void
    ) {
        let first = state.audience.queue.sent
        state.audience.listeners.append(Bound(owner, first: first, handle: handle))
    }

    /// Hears nothing more.
    public func unbind(_ owner: AnyObject) {
        for listener in state.audience.listeners where listener.owner === owner {
            listener.leave()
        }
        sweep()
    }

    @usableFromInline func sweep() { state.audience.listeners.removeAll { $0.owner == nil } }

    @inlinable func tell(_ event: Event, _ number: Int, _ listeners: [Listener]) {
        hear(event, number, listeners)
        while !state.audience.queue.end() {
            let (number, event) = state.audience.queue.next()
            hear(event, number, state.audience.listeners)
        }
    }

    @inlinable func hear(_ event: Event, _ number: Int, _ listeners: [Listener]) {
        var isSomeoneGone = false
        for listener in listeners where listener.first <= number {
            if !listener.hear(event) { isSomeoneGone = true }
        }
        if isSomeoneGone { sweep() }
    }
}

// MARK: Values

extension Output {
    /// All that an output looks at for each event.
    @usableFromInline struct State {
        @usableFromInline var values = Values()
        @usableFromInline var audience = Audience<Listener, Event>()

        @inlinable init() {}

        /// `nil` where nobody is to be told now.
        @inlinable mutating func begin(
            _ event: Event
        ) -> (number: Int, listeners: [Listener])? {
            if event.delivery == .latest, !values.keep(event) { return nil }
            return audience.begin(event)
        }

        @inlinable mutating func begin(
            _ edit: Event, keeping value: Event
        ) -> (number: Int, listeners: [Listener])? {
            _ = values.keep(value)
            return audience.begin(edit)
        }
    }

    /// The values as they stand, and their names beside them.
    @usableFromInline struct Values {
        @usableFromInline var events: [Event] = []
        @usableFromInline var names: [String] = []
        /// Where the last value was. The next one is looked for from there on: view models tell
        /// one value again and again, or their values in one order.
        @usableFromInline var last = 0

        @inlinable init() {}

        /// Returns whether the value has changed.
        @inlinable mutating func keep(_ value: Event) -> Bool {
            let name = value.name
            guard let place = place(of: name) else {
                names.append(name)
                events.append(value)
                return true
            }
            last = place
            guard events[place] != value else { return false }
            events[place] = value
            return true
        }

        @inlinable mutating func remove(_ name: String) {
            guard let place = place(of: name) else { return }
            names.remove(at: place)
            events.remove(at: place)
        }

        @inlinable func place(of name: String) -> Int? {
            let start = last < names.count ? last : 0
            return (start..<names.count).first { names[$0] == name }
                ?? (0..<start).first { names[$0] == name }
        }
    }
}

// MARK: Listeners

extension Output {
    @usableFromInline class Listener {
        /// The number of the first event that it hears: what was sent before it was bound may still
        /// wait.
        @usableFromInline let first: Int

        fileprivate init(first: Int) { self.first = first }

        fileprivate var owner: AnyObject? { nil }
        /// Returns whether the owner is still there.
        @usableFromInline func hear(_ event: Event) -> Bool { false }
        fileprivate func leave() {}
    }

    private final class Bound<Owner: AnyObject>: Listener {
        private weak var bound: Owner?
        private let handle: (Owner, Event) -> Void

        init(_ owner: Owner, first: Int, handle: @escaping (Owner, Event) -> Void) {
            bound = owner
            self.handle = handle
            super.init(first: first)
        }

        override var owner: AnyObject? { bound }

        override func hear(_ event: Event) -> Bool {
            guard let bound else { return false }
            handle(bound, event)
            return true
        }

        override func leave() { bound = nil }
    }
}
