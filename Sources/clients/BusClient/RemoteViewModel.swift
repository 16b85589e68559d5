public import BusdProtocol

/// A view model that lives in the daemon. A view in this process binds to it as to any other.
public final class RemoteViewModel<Kind: ViewModelKind>: ViewModel {
    public typealias ViewEvent = Kind.ViewEvent
    public typealias ViewModelEvent = Kind.ViewModelEvent

    public let output = Output<Kind.ViewModelEvent>()
    public let address: Address
    /// All values are those of the daemon, and what changes comes at once. False before the first
    /// snapshot is complete, while the connection is lost, after a gap, and once it has gone.
    public internal(set) var isLive = false {
        didSet { if isLive != oldValue { onLiveChanged?(isLive) } }
    }

    /// An update is complete: draw now.
    public var onUpdate: (() -> Void)?
    public var onLiveChanged: ((Bool) -> Void)?
    /// So many events were passed over. The values come right by themselves.
    public var onGap: ((Int) -> Void)?
    /// The view model has ended. `start()` asks for it again.
    public var onGone: (() -> Void)?
    /// The subscription or an event was refused.
    public var onRefused: ((WireError) -> Void)?
    /// The daemon has handled or refused an event. All that the event caused at once has been told.
    public var onAnswered: ((Kind.ViewEvent) -> Void)?
    /// The daemon has handled an event, and did not refuse it.
    public var onHandled: ((Kind.ViewEvent) -> Void)?
    /// The daemon is away, and the event would not mean the same later: it was not sent.
    public var onUnsent: ((Kind.ViewEvent) -> Void)?
    /// No answer came in five seconds: nobody knows whether the event was handled.
    public var onUnanswered: ((Kind.ViewEvent) -> Void)?

    let connection: BusConnection
    let name: String?
    var isStarted = false
    var bookmark = Bookmark()
    /// Names of the values that a snapshot under way has told; nil while there is none.
    var told: Set<String>?  // text: names of cases

    /// - Parameter name: what the daemon calls the view in `bus/views`.
    public init(_ connection: BusConnection, at address: Address, as name: String? = nil) {
        self.connection = connection
        self.address = address
        self.name = name
    }

    deinit {
        onLiveChanged = nil
        stop()
    }

    /// Subscribes, now or when there is a connection. Binding the first view does it.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        connection.listen(self, address: address) { $0.heard($1) }
        if connection.isConnected { subscribe() }
    }

    /// Hears nothing more. The values stay as they are; `start()` takes up from here.
    public func stop() {
        guard isStarted else { return }
        leave()
        if connection.isConnected, !connection.listeners.contains(address) {
            connection.request(.unsubscribe(Pattern(address)))
        }
    }

    /// Sends an event of a view. While the daemon is away, events wait for it if they mean the same
    /// later.
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
        told = nil
        connection.unlisten(self)
    }
}
