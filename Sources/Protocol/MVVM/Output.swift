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
/// Whoever sends gets code for its own enum (`@inlinable`), which costs half as much as code for
/// any.
public final class Output<Event: WireEvent> {
    @usableFromInline class Listener {
        /// The number of the first event that it hears: what was sent before it was bound may still
        /// wait.
        @usableFromInline let first: Int

        @usableFromInline init(first: Int) { self.first = first }

        @usableFromInline var owner: AnyObject? { nil }
        /// Returns whether the owner is still there.
        @usableFromInline func hear(_ event: Event) -> Bool { false }
        @usableFromInline func leave() {}
    }

    @usableFromInline final class Bound<Owner: AnyObject>: Listener {
        @usableFromInline weak var bound: Owner?
        @usableFromInline let handle: (Owner, Event) -> Void

        @inlinable init(_ owner: Owner, first: Int, handle: @escaping (Owner, Event) -> Void) {
            bound = owner
            self.handle = handle
            super.init(first: first)
        }

        @inlinable override var owner: AnyObject? { bound }

        @inlinable override func hear(_ event: Event) -> Bool {
            guard let bound else { return false }
            handle(bound, event)
            return true
        }

        @inlinable override func leave() { bound = nil }
    }

    /// The values as they stand, in the order in which each was first sent.
    @inlinable public var current: [Event] { values }
    @usableFromInline var values: [Event] = []
    @usableFromInline var names: [String] = []

    /// True once `ViewModel.start()` has been called on the owner of this output.
    var hasStarted = false

    @usableFromInline var listeners: [Listener] = []
    @usableFromInline var waiting: [Event] = []
    /// Events so far, those that wait included.
    @usableFromInline var sent = 0
    @usableFromInline var isSending = false

    public init() {}

    /// Tells all handlers, unless the event is a value that has not changed.
    @inlinable public func send(_ event: Event) {
        if event.delivery == .latest, !keep(event) { return }
        tell(event)
    }

    /// Tells all handlers an edit; whoever binds later is told `value` in its place.
    @inlinable public func send(_ edit: Event, current value: Event) {
        _ = keep(value)
        tell(edit)
    }

    /// Withdraws a value: a newly bound view is no longer told of it.
    public func withdraw(_ name: String) {
        guard let place = names.firstIndex(of: name) else { return }
        names.remove(at: place)
        values.remove(at: place)
    }

    /// Hears every event from now on, for as long as `owner` lives. The owner is held weakly.
    public func bind<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Event) -> Void
    ) {
        listeners.append(Bound(owner, first: sent, handle: handle))
    }

    /// Hears nothing more.
    public func unbind(_ owner: AnyObject) {
        for listener in listeners where listener.owner === owner { listener.leave() }
        listeners.removeAll { $0.owner == nil }
    }

    /// Returns whether the value has changed.
    @inlinable func keep(_ value: Event) -> Bool {
        let name = value.name
        if let place = names.firstIndex(of: name) {
            guard values[place] != value else { return false }
            values[place] = value
        } else {
            names.append(name)
            values.append(value)
        }
        return true
    }

    @inlinable func tell(_ event: Event) {
        sent += 1
        guard !isSending else { return waiting.append(event) }
        isSending = true
        defer { isSending = false }
        tell(event, number: sent - 1)
        guard !waiting.isEmpty else { return }
        var next = 0
        while next < waiting.count {
            let (event, number) = (waiting[next], sent - waiting.count + next)
            next += 1
            tell(event, number: number)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    @inlinable func tell(_ event: Event, number: Int) {
        var isSomeoneGone = false
        for listener in listeners where listener.first <= number {
            if !listener.hear(event) { isSomeoneGone = true }
        }
        if isSomeoneGone { listeners.removeAll { $0.owner == nil } }
    }
}
