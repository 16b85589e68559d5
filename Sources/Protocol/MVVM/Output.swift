/// Sends the events of a view or of a view model to any number of handlers.
///
/// `current` has the newest event of each value (`Delivery.latest`), for views that bind later. A
/// value that has not changed is dropped. So a view model may send all its values after every
/// change, and handlers get only the changed ones.
///
/// All handlers get all events in the same order: an event that is sent inside a handler waits
/// until all handlers have handled the event before it.
///
/// Inlinable, so it is specialised for the enum of each caller, which halves its cost.
public final class Output<Event: WireEvent> {
    /// The newest event of each value, in the order in which the values were first sent.
    @inlinable public var current: [Event] { state.values.current }
    @usableFromInline var state = State()

    /// True once `ViewModel.start()` has been called on the owner of this output.
    var hasStarted = false

    /// An output without values and handlers.
    public init() {}

    /// Sends the event to all handlers, unless it is a value that has not changed.
    @inlinable public func send(_ event: Event) {
        if let (number, listeners) = state.begin(event) { emit(event, number, listeners) }
    }

    /// Sends an edit to all handlers. A handler that is bound later gets `value` instead.
    @inlinable public func send(_ edit: Event, current value: Event) {
        if let (number, listeners) = state.begin(edit, keeping: value) {
            emit(edit, number, listeners)
        }
    }

    /// Sends a list that its owner keeps: `current` asks `newest` for it.
    @inlinable func send(list: Event, empty: Event, newest: @escaping () -> Event) {
        let started = state.begin(list, keeping: empty)
        state.values.lists[empty.name] = newest
        if let (number, listeners) = started { emit(list, number, listeners) }
    }

    /// Removes a value from `current`: views that bind later do not get it.
    @inlinable public func withdraw(_ name: String) { state.values.remove(name) }

    /// Calls `handle` with every later event, for as long as `owner` lives. The owner is held
    /// weakly.
    public func bind<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Event) -> Void
    ) {
        let first = state.audience.queue.sent
        state.audience.listeners.append(Bound(owner, first: first, handle: handle))
    }

    /// Calls `hear` with every later event, until it returns false.
    package func listen(_ hear: @escaping (Event) -> Bool) {
        let first = state.audience.queue.sent
        state.audience.listeners.append(Forwarder(first: first, hear))
    }

    /// Removes all handlers of the owner.
    public func unbind(_ owner: AnyObject) {
        for listener in state.audience.listeners where listener.owner === owner {
            listener.leave()
        }
        sweep()
    }

    @usableFromInline func sweep() { state.audience.listeners.removeAll { $0.owner == nil } }

    @inlinable func emit(_ event: Event, _ number: Int, _ listeners: [Listener]) {
        hear(event, number, listeners)
        while !state.audience.queue.end() {
            let (number, event) = state.audience.queue.next()
            hear(event, number, state.audience.listeners)
        }
    }

    @inlinable func hear(_ event: Event, _ number: Int, _ listeners: [Listener]) {
        var hasDeadListener = false
        for listener in listeners where listener.first <= number {
            if !listener.hear(event) { hasDeadListener = true }
        }
        if hasDeadListener { sweep() }
    }
}

// MARK: Values

extension Output {
    /// The state that `send` reads and changes.
    @usableFromInline struct State {
        @usableFromInline var values = Values()
        @usableFromInline var audience = Audience<Listener, Event>()

        @inlinable init() {}

        /// `nil`: the event is not sent now, because its value has not changed or it must wait.
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

    /// The newest event of each value, and at the same indices the names of the events.
    @usableFromInline struct Values {
        @usableFromInline var events: [Event] = []
        @usableFromInline var names: [String] = []
        /// By name: the values that their owners keep.
        @usableFromInline var lists: [String: () -> Event] = [:]  // text: names of cases
        /// Index of the value that was sent last. The search for the next one begins there, because
        /// view models often send one value repeatedly, or all values in the same order.
        @usableFromInline var last = 0

        @inlinable init() {}

        @inlinable var current: [Event] {
            lists.isEmpty ? events : zip(names, events).map { lists[$0]?() ?? $1 }
        }

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
            lists[name] = nil
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
        /// Number of the first event for this listener. Events sent before it was bound may still
        /// wait.
        @usableFromInline let first: Int

        fileprivate init(first: Int) { self.first = first }

        fileprivate var owner: AnyObject? { nil }
        /// Returns whether the owner still exists.
        @usableFromInline func hear(_ event: Event) -> Bool { false }
        fileprivate func leave() {}
    }

    private final class Forwarder: Listener {
        private let forward: (Event) -> Bool
        private var isGone = false

        init(first: Int, _ forward: @escaping (Event) -> Bool) {
            self.forward = forward
            super.init(first: first)
        }

        override var owner: AnyObject? { isGone ? nil : self }

        override func hear(_ event: Event) -> Bool {
            isGone = !forward(event)
            return !isGone
        }
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
