import BusdBroker
import BusdOptions
import BusdProtocol

/// `busd policy check FILE`, `busd policy who USER ADDRESS [EVENT]`, `busd policy reload`.
enum PolicyCommand: Equatable {
    case check(PolicyFile)
    case who(user: String, Address, event: String?)
    case reload

    init(_ arguments: Arguments) throws(UsageError) {
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
    }

    /// - Parameter events: the names of all events that views can send.
    func run(_ settings: Settings, events: () throws -> [String]) throws {
        switch self {
        case .check(let file): try check(file, try events())
        case .who(let user, let address, let event):
            let known = try events()
            if let event, !known.contains(where: event.isExactly) {
                throw StartError("no kind has an event '\(event)'", .usage)
            }
            let source = try PolicySource(settings, known)
            let lines = try source.lines(about: user, at: address, event)
            print(lines.joined(separator: "\n").printableLines)
        case .reload: try reload(settings)
        }
    }

    private func check(_ file: PolicyFile, _ events: [String]) throws(StartError) {
        do {
            let content = try file.read { events }
            print("\(file.path): no faults in \(content.lines) lines".printable)
        } catch {
            for line in error.lines { print(line) }
            let count = error.lines.count
            throw StartError("\(file.path): \(count) \(count == 1 ? "fault" : "faults")", .badInput)
        }
    }

    private func reload(_ settings: Settings) throws {
        let served = try ServedPolicy(settings)
        try served.reload()
        print("\(served.path): the policy was read again".printable)
    }
}

/// Where `busd policy who` finds the policy.
private struct PolicySource {
    private let content: PolicyFile.Content
    /// The user that no line restricts, besides root.
    private let owner: Int?

    /// The file of `--policy`, else the policy that the running daemon has in force.
    init(_ settings: Settings, _ events: [String]) throws {
        if let file = settings.policy {
            (content, owner) = (try file.read { events }, nil)
            return
        }
        let served = try ServedPolicy(settings)
        let (rules, _) = PolicyReader(.ofMachine, events: { events }).read(served.text)
        content = PolicyFile.Content(text: served.text, policy: rules)
        owner = served.owner
    }

    /// What the user may do, one line for each act.
    func lines(
        about name: String, at address: Address, _ event: String?
    ) throws(StartError) -> [String] {
        let accounts = Accounts.ofMachine
        let isNumber = !name.isEmpty && name.utf8.allSatisfy { 48...57 ~= $0 }
        let number = isNumber ? Int(name) : nil  // fits: `nil` if it does not
        guard let user = isNumber ? number : accounts.user(name) else {
            throw StartError("there is no user '\(name)'", .usage)
        }
        guard user != 0, user != owner else {
            return ["\(name) may do everything: the policy does not restrict this user"]
        }
        let groups = isNumber ? [] : accounts.groups(name)
        let rights = content.policy.rights(of: Peer(pid: 0, uid: user, groups: groups))
        let general = rights.rule(at: address)
        let isVisible = rights.mayLook(at: address)
        var rows = [("look", isVisible, general), ("make", general?.right == .send, general)]
        if let event {
            let rule = rights.rule(ofSendsTo: address) { $0.isExactly(event) }
            rows.append(("send \(event)", isVisible && rule?.right == .send, rule))
        } else {
            rows.append(("send", general?.right == .send, general))
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

    init(_ settings: Settings) throws {
        let sockets = settings.clientSockets
        guard let daemon = try RunningDaemon.find(at: sockets) else {
            throw StartError(
                "no daemon listens at \(sockets.joined(separator: " or ")): start it, or name its "
                    + "socket with --socket")
        }
        self.daemon = daemon
        let answer: JSONValue
        do {
            answer = try daemon.client.ask { out in
                out.member("op", "get")
                out.member("to", BusPolicy.address.text)
            }
        } catch is StartError {
            throw StartError(
                "\(daemon.socket): there is no policy: start the daemon with --policy FILE, and run "
                    + "this command as root or as the daemon's own user")
        } catch {
            throw Self.noAnswer(daemon)
        }
        guard let event = answer["events"]?.elements.first(where: { _ in true }),
            case .policy(let path, let text, let owner) = try event.decode(
                BusPolicy.ViewModelEvent.self, at: "event")
        else { throw Self.noAnswer(daemon) }
        (self.path, self.text, self.owner) = (path, text, owner)
    }

    /// Throws the faults of the file.
    func reload() throws {
        do {
            _ = try daemon.client.send({ $0.value("reload") }, to: BusPolicy.address)
        } catch is ControlClient.NoAnswer {
            throw Self.noAnswer(daemon)
        }
    }

    private static func noAnswer(_ daemon: RunningDaemon) -> StartError {
        StartError("\(daemon.socket): the daemon did not answer: see its log")
    }
}
