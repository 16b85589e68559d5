import BusdBroker
import BusdOptions
import BusdProtocol
import CBusdSystem
import Glibc

/// `--history`: the entries of a backup, each with the events of one view model that it caused.
///
/// The bus runs without sockets. Its only client subscribes to the view model.
final class History {
    private let address: Address
    private let replay: Replay
    private var bus: Bus
    private let slot: ConnectionSlot
    private let document = JSONDocument()
    private var received: [UInt8] = []
    private var isSubscribed = false
    /// Why the last `subscribe` was refused.
    private var refusal = ""
    /// The view model has been there.
    private var isKnown = false

    init(of address: Address, _ replay: Replay, _ bus: consuming Bus) throws {
        (self.address, self.replay) = (address, replay)
        slot = try bus.connected(
            .control, Peer(pid: Int(widening: getpid()), uid: Int(clamping: geteuid())))
        self.bus = bus
    }

    /// - Throws: if the view model never exists.
    func print() throws {
        // What is there before the first entry was caused by none.
        _ = try takeEvents()
        while let entry = replay.next, busd_flush_output() == 0 {
            bus.tick(entry.time)
            _ = try takeEvents()
            replay.allowNext()
            bus.advance(by: .zero)
            let events = try takeEvents()
            if !events.isEmpty { print(entry, events) }
        }
        if let failure = replay.failure { throw StartError("\(failure)", .badInput) }
        guard isKnown else { throw StartError(refusal, .usage) }
    }

    private func print(_ entry: LogEntry, _ events: [[UInt8]]) {
        var out = JSONWriter()
        out.object { out in
            out.member("entry", entry.number)
            out.member("time", entry.time.isoText)
            if let uid = entry.uid { out.member("uid", uid) }
            if let name = entry.by { out.member("client", name) }
            if let daemon = entry.daemon { out.member("daemon", daemon) }
            out.key("events")
            out.list { out in for event in events { out.raw(event) } }
        }
        Swift.print(String(decoding: printable(json: out.bytes[...]), as: UTF8.self))
    }

    // MARK: The client

    /// The events since the last call. Those of the snapshot are among them if the view model has
    /// just been made.
    private func takeEvents() throws -> [[UInt8]] {
        var events: [[UInt8]] = []
        takeLines(&events)
        if !isSubscribed {
            let request = Array(#"{"op":"subscribe","to":"\#(address.text)","id":1}"#.utf8)
            (request + [.lineFeed]).withUnsafeBytes { bus.received($0, on: slot) }
            takeLines(&events)
        }
        return events
    }

    private func takeLines(_ events: inout [[UInt8]]) {
        var isWritable = false
        repeat {
            if isWritable { bus.writable(slot) { [self] in read($1) } }
            isWritable = false
            bus.work { _, _ in }
            bus.flush { [self] in read($1) }
            for effect in bus.takeEffects() {
                switch effect {
                case .awaitWritable, .write: isWritable = true
                case .read, .close: break
                }
            }
        } while bus.hasWork || isWritable
        for line in received.split(separator: .lineFeed) { take(line, &events) }
        received.removeAll(keepingCapacity: true)
    }

    private func read(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        received += bytes
        return .took(bytes.count)
    }

    private func take(_ line: ArraySlice<UInt8>, _ events: inout [[UInt8]]) {
        var limits = Limits()
        (limits.values, limits.marks) = (.max, .max)
        guard (try? document.read(Array(line), limits: limits)) != nil,
            let root = document.root
        else { return }
        if let event = root["event"] {
            events.append(Array(event.json))
        } else if root["ok"] != nil {
            (isSubscribed, isKnown) = (true, true)
        } else if let message = root["error"]?["message"]?.text {
            refusal = message
        } else if root["gone"] != nil {
            events.append(Array(#"{"gone":{}}"#.utf8))
            isSubscribed = false
        }
    }
}
