public import BusdProtocol

/// A view model in the daemon. A view in this process binds to it as to a local one.
public final class RemoteViewModel<Kind: ViewModelKind>: ViewModel {
    public typealias ViewEvent = Kind.ViewEvent
    public typealias ViewModelEvent = Kind.ViewModelEvent

    public let output = Output<Kind.ViewModelEvent>()
    /// The view model in the daemon to which this one subscribes.
    public let address: Address
    /// The values are those of the daemon, and changes arrive at once. False before the first
    /// snapshot is complete, while the connection is lost, after a gap until the next `live`, and
    /// after the view model has ended.
    public internal(set) var isLive = false {
        didSet { if isLive != oldValue { onLiveChanged?(isLive) } }
    }

    /// The `send` that caused the event that `output` sends now; nil at other times, and if no
    /// `send` with an `id` caused it.
    public internal(set) var cause: BusEvent.Cause?
    /// An update is complete: draw now.
    public var onUpdate: (() -> Void)?
    /// Called with the new value of `isLive`.
    public var onLiveChanged: ((Bool) -> Void)?
    /// Called with the number of missed events. A snapshot follows and corrects the values.
    public var onGap: ((Int) -> Void)?
    /// The view model has ended. `start()` subscribes to it again.
    public var onGone: (() -> Void)?
    /// The subscription or an event was refused.
    public var onRefused: ((WireError) -> Void)?
    /// The daemon has handled or refused an event. All events that it caused have arrived.
    public var onAnswered: ((Kind.ViewEvent) -> Void)?
    /// The daemon has handled an event, and did not refuse it.
    public var onHandled: ((Kind.ViewEvent) -> Void)?
    /// There is no connection, and the event would mean something else later: it was not sent.
    public var onUnsent: ((Kind.ViewEvent) -> Void)?
    /// No answer arrived in five seconds, or the connection was lost. The event may have been
    /// handled.
    public var onUnanswered: ((Kind.ViewEvent) -> Void)?

    let connection: BusConnection
    let name: String?
    var isStarted = false
    var bookmark = Bookmark()
    /// Names of the values in the current snapshot so far; nil if no snapshot is in progress.
    var snapshotNames: Set<String>?  // text: names of cases

    /// `name` is the name of the view in `bus/views`.
    public init(_ connection: BusConnection, at address: Address, as name: String? = nil) {
        self.connection = connection
        self.address = address
        self.name = name
    }

    deinit {
        onLiveChanged = nil
        stop()
    }

    /// Subscribes, now or when there is a connection. Binding the first view calls it.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        connection.listen(self, address: address) { $0.received($1) }
        if connection.isConnected { subscribe() }
    }

    /// Ends the subscription. The values stay, and `start()` resumes from here.
    public func stop() {
        guard isStarted else { return }
        leave()
        if connection.isConnected, !connection.listeners.contains(address) {
            connection.request(.unsubscribe(Pattern(address)))
        }
    }

    /// Sends an event of a view. Without a connection, an event waits for one if it means the same
    /// later (`canWait`).
    public func handle(event: Kind.ViewEvent) {
        guard connection.isConnected || event.canWait else {
            onUnsent?(event)
            return
        }
        var json = JSONWriter()
        do {
            try json.value(encoding: event, revealingSecrets: true)
        } catch {
            onRefused?(WireError(.badEvent, "the event has no form in JSON", path: "event"))
            return
        }
        connection.send(json.bytes, to: address, canWait: event.canWait) { [weak self] answer in
            switch answer {
            case .success:
                self?.onAnswered?(event)
                self?.onHandled?(event)
            case .failure(.refused(let error)):
                self?.onAnswered?(event)
                self?.onRefused?(error)
            case .failure(.lost), .failure(.timedOut): self?.onUnanswered?(event)
            }
        }
    }

    func leave() {
        isStarted = false
        isLive = false
        snapshotNames = nil
        connection.unlisten(self)
    }
}
