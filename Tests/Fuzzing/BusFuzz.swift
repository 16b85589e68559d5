import BusdBroker
import BusdHosting
import BusdProtocol

/// Conversations of clients with the whole bus. Whatever the clients do, each reads lines of JSON
/// in which the numbers of events rise, and at the end all connections are closed.
///
/// The bytes are steps with U+0000 between them. The first byte of a step selects a client and an
/// action; a client that is not connected connects first:
///
///     A…      client 0 (B 1, C 2, D 3) sends the rest of the step
///     aNUMBER client 0 stops reading after this many bytes
///     0       client 0 reads on
///     4       client 0 sends no more (5, 6, 7)
///     8       client 0 closes (9, :, ;)
///     tNUMBER this many milliseconds pass
///     pNUMBER another policy is in force
func fuzzBus(_ bytes: [UInt8]) {
    var conversation = Conversation()
    for step in bytes.split(separator: 0).prefix(64) { conversation.take(step) }
    conversation.end()
}

private struct Conversation: ~Copyable {
    private let host = fuzzHost()
    private var bus: Bus
    private var clients: [FuzzClient?] = Array(repeating: nil, count: 4)

    init() {
        var limits = Limits()
        // Small limits, so that the fuzzer reaches them.
        limits.output = 4096
        limits.outputTotal = 10_000
        limits.subscriptions = 4
        limits.onDemand = 4
        limits.history = 8
        limits.historyTotal = 10_000
        limits.subscriptionTotal = 4_000
        bus = Bus(
            host: host, limits: limits, server: "fuzz", durability: "none", epoch: 1)
    }

    mutating func take(_ step: ArraySlice<UInt8>) {
        guard let first = step.first else { return }
        let rest = step.dropFirst()
        switch first {
        case UInt8(ascii: "A")...UInt8(ascii: "D"): send(rest, Int(first - UInt8(ascii: "A")))
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            client(Int(first - UInt8(ascii: "a"))).room = number(rest)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            client(Int(first - UInt8(ascii: "0"))).room = nil
        case UInt8(ascii: "4")...UInt8(ascii: "7"):
            bus.inputEnded(client(Int(first - UInt8(ascii: "4"))).slot)
        case UInt8(ascii: "8")...UInt8(ascii: ";"): vanish(Int(first - UInt8(ascii: "8")))
        case UInt8(ascii: "t"): bus.advance(by: .milliseconds(number(rest)))
        case UInt8(ascii: "p"): enforce(number(rest))
        default: return
        }
        settle()
    }

    private func number(_ digits: ArraySlice<UInt8>) -> Int {
        max(0, Int(String(decoding: digits.prefix(5), as: UTF8.self)) ?? 0)
    }

    private mutating func client(_ index: Int) -> FuzzClient {
        if let client = clients[index] { return client }
        // The last client uses the view socket.
        let access = index == 3 ? Access.view : .control
        guard let slot = try? bus.connected(access, Peer(pid: index, uid: index)) else {
            preconditionFailure("four clients are too many")
        }
        let client = FuzzClient(slot)
        clients[index] = client
        return client
    }

    private mutating func send(_ bytes: ArraySlice<UInt8>, _ index: Int) {
        let slot = client(index).slot
        bytes.withUnsafeBytes { bus.received($0, on: slot) }
    }

    /// Another policy: each pattern has one of three rights for the users 1, 2 and 3.
    private mutating func enforce(_ number: Int) {
        var (number, rules) = (number, [Policy.Rule]())
        for text in ["scoreboard/1", "scoreboard/**", "echo/*", "games", "**"] {
            guard let pattern = Pattern(text) else { continue }
            let right = [Policy.Right.nothing, .look, .send][number % 3]
            rules.append(Policy.Rule(line: 1, .everybody, right, pattern))
            number /= 3
        }
        host.enforce(Policy(rules))
        bus.listen()
    }

    private mutating func vanish(_ index: Int) {
        guard let client = clients[index] else { return }
        client.isGone = true
        bus.vanished(client.slot)
    }

    // MARK: Turns

    private mutating func settle() {
        var turns = 0
        repeat {
            turn()
            turns += 1
            require(turns < 10_000, "the bus finds no end")
        } while bus.hasWork || clients.contains { $0?.hasNews ?? false }
        require(host.takeFaults().isEmpty, "a view model has said what JSON can't say")
    }

    private mutating func turn() {
        for case let client? in clients where client.hasNews {
            client.isAwaited = false
            bus.writable(client.slot) { client.write($1) }
        }
        bus.work()
        let present = clients
        bus.flush { slot, bytes in
            for case let client? in present where client.slot == slot { return client.write(bytes) }
            return .failed
        }
        for effect in bus.takeEffects() { perform(effect) }
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .awaitWritable(let slot), .write(let slot):
            for case let client? in clients where client.slot == slot { client.isAwaited = true }
        case .read: break
        case .close(let slot):
            for index in clients.indices where clients[index]?.slot == slot {
                clients[index]?.expectWholeLines()
                clients[index] = nil
            }
        }
    }

    mutating func end() {
        for case let client? in clients { client.room = nil }
        settle()
        bus.sendGoodbyes()
        settle()
        require(bus.hasSentGoodbyes, "somebody is left after the goodbye")
        require(clients.allSatisfy { $0 == nil }, "a client was forgotten")
        host.close()
    }
}
