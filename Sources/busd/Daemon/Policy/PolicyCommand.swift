import BusdBroker
import BusdHosting
import BusdOptions
import BusdProtocol

/// `busd policy check FILE`, `busd policy who USER ADDRESS [EVENT]`, `busd policy reload`.
enum PolicyCommand: Equatable {
    case check(PolicyFile)
    case who(user: String, Address, event: String?)
    case reload

    init(_ arguments: Arguments, _ options: DaemonOptions) throws(UsageError) {
        let words = Array(arguments.operands.dropFirst())
        switch (arguments.operands[0], words.count) {
        case ("check", 1): self = .check(PolicyFile(path: words[0]))
        case ("check", _): throw arguments.error("check needs one FILE")
        case ("who", 2...3):
            guard let address = Address(words[1]) else {
                throw arguments.error("'\(words[1])' is no address")
            }
            self = .who(user: words[0], address, event: words.dropFirst(2).first)
        case ("who", _): throw arguments.error("who needs USER and ADDRESS, and may have EVENT")
        case ("reload", 0): self = .reload
        case ("reload", _): throw arguments.error("reload takes no more words")
        default: throw arguments.error("ACTION must be check, who or reload")
        }
        if case .who = self { return }
        guard !arguments.has(options.policy) else {
            throw arguments.error("only who uses --policy")
        }
    }

    /// - Parameter events: the events that a policy can decide.
    func run(_ settings: Settings, events: () throws -> [SendableEvent]) throws {
        switch self {
        case .check(let file): try check(file, try events())
        case .who(let user, let address, let event):
            let known = try events()
            if let event, !known.contains(where: { event.isExactly($0.name) }) {
                throw StartError("no kind has an event '\(event)'", .usage)
            }
            let explainer = try PolicyExplainer(settings, known)
            let lines = try explainer.lines(about: user, at: address, event)
            print(lines.joined(separator: "\n").printableLines)
        case .reload: try reload(settings)
        }
    }

    private func check(_ file: PolicyFile, _ events: [SendableEvent]) throws(StartError) {
        do {
            let content = try file.read { events }
            let warnings = content.warnings + PolicyReview(content, file.path, events).warnings
            for line in warnings { print(line) }
            print("\(file.path): no faults in \(content.size)".printable)
        } catch {
            for line in error.lines { print(line) }
            let count = error.lines.count
            throw StartError("\(file.path): \(count) \(count == 1 ? "fault" : "faults")", .badInput)
        }
    }

    private func reload(_ settings: Settings) throws {
        let served = try ServedPolicy(settings, timeout: Self.reloadTimeout)
        for warning in try served.reload() { print(warning.printable) }
        print("\(served.path): the policy was read again".printable)
    }

    /// Milliseconds. A directory service may take seconds for each name.
    private static let reloadTimeout: Int32 = 600_000
}

/// Explains what a user may do, for `busd policy who`.
private struct PolicyExplainer {
    private let content: PolicyFile.Content
    /// The user that no line restricts, besides root; `nil`: it is not known.
    private let owner: Int?

    private static let administrative = [
        BusUsers.address, BusStore.address, BusTap.address, BusPolicy.address,
    ]

    /// The file of `--policy`, else the policy that the running daemon has in force.
    init(_ settings: Settings, _ events: [SendableEvent]) throws {
        if let file = settings.policy {
            (content, owner) = (try file.read { events }, nil)
            return
        }
        let served = try ServedPolicy(settings)
        let outcome = PolicyReader(.ofMachine, events: { events }).read(served.text)
        guard outcome.faults.isEmpty else {
            let lines = outcome.faults.map { "\(served.path):\($0)" }.joined(separator: "\n")
            throw StartError("the policy in force cannot be read any more:\n\(lines)")
        }
        content = PolicyFile.Content(text: served.text, policy: outcome.policy)
        owner = served.owner
    }

    /// What the user may do, one line for each act.
    func lines(
        about name: String, at address: Address, _ event: String?
    ) throws(StartError) -> [String] {
        let accounts = Accounts.ofMachine
        let user: Int
        do {
            user = try accounts.id(of: .user, name)
        } catch {
            throw StartError(error.message, .usage)
        }
        if user == 0 || user == owner {
            return ["\(name) may do everything: the policy does not restrict this user"]
        }
        if Self.administrative.contains(address) {
            return ["\(name) may do nothing: \(address) is for root and the daemon's own user"]
        }
        let peer = Peer(pid: 0, uid: user, groups: accounts.groups(user))
        return table(content.policy.rights(of: peer), at: address, event)
    }

    private func table(_ rights: Rights, at address: Address, _ event: String?) -> [String] {
        let general = rights.rule(at: address)
        let isVisible = rights.mayLook(at: address)
        var rows = [("look", isVisible, general), ("make", general?.right == .send, general)]
        for event in event.map({ [$0] }) ?? rights.namedEvents(at: address) {
            let rule = rights.rule(ofSendsTo: address) { $0.isExactly(event) }
            rows.append(("send \(event)", isVisible && rule?.right == .send, rule))
        }
        if event == nil {
            let act = rows.count == 2 ? "send" : "send others"
            rows.append((act, general?.right == .send, general))
        }
        let width = rows.map(\.0.utf8.count).max() ?? 0
        return rows.map { act, isAllowed, rule in
            let space = String(repeating: " ", count: width - act.utf8.count)  // fits: see above
            return "\(act)\(space)  \(isAllowed ? "allowed" : "refused")  \(reason(rule))"
        }
    }

    private func reason(_ rule: Policy.Rule?) -> String {
        guard let rule else { return "no line fits" }
        let lines = content.text.utf8.split(
            separator: .lineFeed, omittingEmptySubsequences: false)
        let words = lines[rule.line - 1].split { $0 == .space || $0 == 9 || $0 == 13 }
        return "line \(rule.line): " + words.map { String(Substring($0)) }.joined(separator: " ")
    }
}

/// The policy that a running daemon has in force.
private struct ServedPolicy {
    let path: String
    let text: String
    let owner: Int
    private let daemon: RunningDaemon

    /// - Parameter timeout: milliseconds that all answers together may take.
    init(_ settings: Settings, timeout: Int32 = RunningDaemon.timeout) throws {
        let sockets = settings.clientSockets
        let remedy = "run this command as root or as the daemon's own user"
        guard let daemon = try RunningDaemon.find(at: sockets, else: remedy, timeout: timeout)
        else {
            throw StartError(
                "no daemon listens at \(sockets.joined(separator: " or ")): start it, or name its "
                    + "socket with --socket")
        }
        self.daemon = daemon
        let answer: JSONValue
        do {
            answer = try daemon.client.get(BusPolicy.address)
        } catch is StartError {
            throw StartError(
                "\(daemon.socket): no policy that you may read: start the daemon with --policy FILE, "
                    + "and \(remedy)")
        } catch {
            throw Self.noAnswer(daemon)
        }
        guard let event = answer["events"]?.elements.first(where: { _ in true }),
            case .policy(let path, let text, let owner) = try event.decode(
                BusPolicy.ViewModelEvent.self, at: "event")
        else { throw Self.noAnswer(daemon) }
        (self.path, self.text, self.owner) = (path, text, owner)
    }

    /// Returns the warnings about the file; throws its faults.
    func reload() throws -> [String] {
        do {
            let results = ["reloaded", "failed"]
            let event = try daemon.client.send("reload", to: BusPolicy.address, awaiting: results)
            switch try event.decode(BusPolicy.ViewModelEvent.self, at: "event") {
            case .reloaded(let warnings): return warnings
            case .failed(let reason): throw StartError("the policy stays as it is:\n\(reason)")
            case .policy: return []
            }
        } catch is ControlClient.NoAnswer {
            throw Self.noAnswer(daemon)
        }
    }

    private static func noAnswer(_ daemon: RunningDaemon) -> StartError {
        StartError("\(daemon.socket): the daemon did not answer: see its log")
    }
}
