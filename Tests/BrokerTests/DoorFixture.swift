import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// The view model that a connection asks about.
enum DoorSubject: String, CaseIterable {
    case plain, ready, unmade, own, other, secret, vault, noVault, ended, endedSecret

    var kind: any KeptKind.Type {
        switch self {
        case .plain, .ended: PlainKind.self
        case .ready, .unmade: ReadyKind.self
        case .own, .other: OwnKind.self
        case .secret, .endedSecret: SecretKind.self
        case .vault, .noVault: VaultKind.self
        }
    }

    /// So long that it is similar to no name of a kind.
    var address: String { kind.name + "/morning" }
    var hasEnded: Bool { self == .ended || self == .endedSecret }

    fileprivate func register(in host: Host, _ keep: Keep) {
        switch self {
        case .plain, .ended: host.register(OpenViewModel<PlainKind>.self, services: keep)
        case .ready, .unmade:
            host.register(OpenViewModel<ReadyKind>.self, services: keep)
        case .own, .other: host.register(OpenViewModel<OwnKind>.self, services: keep)
        case .secret, .endedSecret:
            host.register(HiddenViewModel<SecretKind>.self, services: keep)
        case .vault, .noVault:
            host.register(HiddenViewModel<VaultKind>.self, services: keep)
        }
    }
}

/// One way in which a connection may find the view model.
enum DoorAct: String, CaseIterable {
    case list, listAll, describe, describeKind, describeAll, get
    case subscribe, subscribeAll, subscribeSteps, unsubscribe
    /// It ends the subscription to `**`, and keeps the one to the address.
    case keepAddress
    /// It ends the subscription to the address, and keeps the one to `**`.
    case keepPattern
    case send, sendNonsense, suggestAddress, suggestKind
    case arrival, arrivalBehind
    /// A `send` creates the view model.
    case made
    /// A `send` of the administrator has created it, and the connection repeats the key.
    case madeBefore
}

/// A bus on which one connection tries one act.
final class DoorFixture {
    private let bus: TestBus
    private let administrator: TestConnection
    private let another: TestConnection
    private let client: TestConnection
    private let subject: DoorSubject
    private var address: String { subject.address }

    /// - Parameter isThere: false: the bus does not have the kind.
    init(_ client: DoorClient, _ subject: DoorSubject, isThere: Bool) {
        self.subject = subject
        let keep = Keep()
        bus = TestBus(log: MemoryLog(), policy: client.policy) { host in
            keep.host = host
            host.register(KeeperViewModel.self, services: keep)
            if isThere {
                subject.register(in: host, keep)
                keep.kinds[subject.kind.name] = subject.kind
            }
        }
        administrator = bus.connect()
        another = bus.connect(user: 8)
        self.client = bus.connect(throughViewSocket: client.isView, user: client.user)
    }

    /// The lines that the client gets.
    func lines(of act: DoorAct) -> [String] {
        perform(act)
        _ = administrator.takeLines()
        _ = another.takeLines()
        return client.takeLines()
    }

    // MARK: The view model

    private var addition: String { #"{"add":{"kind":"\#(subject.kind.name)","at":"\#(address)"}}"# }

    private func make() {
        switch subject {
        case .unmade, .noVault: break
        case .ready, .vault: administrator.send("get \(address)")
        case .own: client.send("get \(address)")
        case .other: another.send("get \(address)")
        case .plain, .secret, .ended, .endedSecret:
            administrator.send(
                #"{"op":"send","to":"keeper","event":\#(addition)}"#, "get \(address)")
        }
        if subject.hasEnded { end() }
    }

    /// Makes the view model emit.
    private func tell() { administrator.send(#"send keeper tell {"at":"\#(address)"}"#) }

    private func end() { administrator.send(#"send keeper end {"at":"\#(address)"}"#) }

    // MARK: Acts

    private func perform(_ act: DoorAct) {
        switch act {
        case .arrival, .arrivalBehind: arrive(isBehind: act == .arrivalBehind)
        case .made: client.send(#"{"op":"send","to":"keeper","event":\#(addition),"id":1}"#)
        case .madeBefore:
            let line = #"{"op":"send","to":"keeper","event":\#(addition),"key":"k","id":1}"#
            administrator.send(line)
            if subject.hasEnded { end() }
            client.send(line)
        default:
            make()
            if subject != .own { client.expectNothing() }
            _ = client.takeLines()
            request(act)
        }
    }

    private func request(_ act: DoorAct) {
        switch act {
        case .list: client.send("list \(address)")
        case .listAll: client.send("list **")
        case .describe: client.send("describe \(address)")
        case .describeKind: client.send("describe \(subject.kind.name)")
        case .describeAll: client.send("describe")
        case .get: client.send("get \(address)")
        case .subscribe: watch(address)
        case .subscribeAll: watch("**")
        case .subscribeSteps:
            bus.bus.limitTurns(to: 1)
            watch("**")
        case .unsubscribe:
            client.join(address)
            client.send(#"{"op":"unsubscribe","to":"\#(address)","id":1}"#)
            tell()
        case .keepAddress: keep(address, not: "**")
        case .keepPattern: keep("**", not: address)
        case .send:
            client.send(#"{"op":"send","to":"\#(address)","event":{"say":{"text":"x"}},"id":1}"#)
        case .sendNonsense: client.send("send \(address) nonsense")
        case .suggestAddress: client.send("get \(subject.kind.name)s/morning")
        case .suggestKind: client.send("describe \(subject.kind.name)s")
        case .arrival, .arrivalBehind, .made, .madeBefore: break
        }
    }

    private func watch(_ pattern: String) {
        client.send("subscribe \(pattern)")
        tell()
        end()
    }

    private func keep(_ pattern: String, not other: String) {
        client.join("**")
        client.join(address)
        client.send("unsubscribe \(other)")
        _ = client.takeLines()
        tell()
    }

    /// The view model arrives, emits and ends while the client is subscribed to `**`.
    private func arrive(isBehind: Bool) {
        client.join("**")
        if isBehind {
            client.stall()
            // The client misses this event.
            administrator.send(#"send keeper add {"kind":"none","at":"none"}"#)
            bus.advance(by: .seconds(2))
        }
        make()
        tell()
        if isBehind { client.readOn() }
        tell()
        end()
    }
}

/// A connection, by its socket and user, and the policy of its daemon.
struct DoorClient {
    let isView: Bool
    let user: Int
    var policy: Policy?
}

extension DoorFixture {
    /// The symbol of an act for the table, and the lines that the client gets. They are compared
    /// with its lines on a bus that does not have the kind.
    static func verdict(
        on act: DoorAct, of client: DoorClient, on subject: DoorSubject
    ) -> (symbol: String, lines: [String]) {
        let lines = DoorFixture(client, subject, isThere: true).lines(of: act)
        let without = DoorFixture(client, subject, isThere: false).lines(of: act)
        return (symbol(for: lines, act, isHidden: lines == without), lines)
    }

    private static func symbol(
        for lines: [String], _ act: DoorAct, isHidden: Bool
    ) -> String {
        let refused = lines.first { $0.hasPrefix(#"{"error":"#) } ?? ""
        // All addresses are refused in this way, so it hides and reveals nothing.
        if refused.contains(#""code":"notAllowed""#) { return "n" }
        if isHidden { return "-" }
        // An error with a suggestion is what the act asked for.
        if act == .suggestAddress || act == .suggestKind || refused.isEmpty { return "+" }
        if refused.contains(#""code":"unknownEvent""#) { return "e" }
        let hints = ["; use the control socket to make it", "not allow you to make it"]
        return hints.contains(where: refused.contains) ? "u" : refused
    }
}
