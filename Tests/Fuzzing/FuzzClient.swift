import BusdBroker
import BusdProtocol

/// A client that checks the lines that it reads.
final class FuzzClient {
    let slot: ConnectionSlot
    /// The bytes that its socket takes until it reads again; `nil` means any number.
    var room: Int?
    var isAwaited = false
    var isGone = false
    private var unread: [UInt8] = []
    /// The number of the last event of each view model that this client knows.
    private var numbers: [String: Int] = [:]
    private let document = JSONDocument()

    init(_ slot: ConnectionSlot) { self.slot = slot }

    var hasNews: Bool { isAwaited && room != 0 }

    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard !isGone else { return .failed }
        let count = min(bytes.count, room ?? .max)
        room = room.map { $0 - count }
        unread.append(contentsOf: bytes.prefix(count))
        readLines()
        return .took(count)
    }

    /// Called when the bus has closed. Half a line may be left only if the client does not read:
    /// the bus waits two seconds for it.
    func expectWholeLines() {
        require(isGone || room == 0 || unread.isEmpty, "half a line is left")
    }

    private func readLines() {
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            read(Array(unread[..<end]))
            unread.removeFirst(end + 1)
        }
    }

    private func read(_ line: [UInt8]) {
        var limits = Limits()
        limits.values = .max
        limits.line = .max
        require((try? document.read(line, limits: limits)) != nil, "a line is not JSON")
        guard let root = document.root, let first = key(root) else {
            return require(false, "a line is not an object")
        }
        switch first {
        case "from": event(root)
        case "live":
            if let text = root["live"]?.text, let cursor = root["cursor"]?.text {
                numbers[text] = cursor.split(separator: ":").last.flatMap { Int($0) }
            }
        case "gone", "gap": numbers[root[first]?.text ?? ""] = nil
        case "ok", "error", "ping", "bye": break
        default: require(false, "a line begins with \(first)")
        }
    }

    private func key(_ object: JSONValue) -> String? {
        var members = object.members
        return members.next()?.key.text
    }

    /// After `live` the numbers rise; with `only` some are left out.
    private func event(_ line: JSONValue) {
        guard let from = line["from"]?.text, let number = line["seq"]?.integer,
            line["event"]?.kind == .object
        else { return require(false, "an event lacks something") }
        guard line["snapshot"] == nil else {
            numbers[from] = nil
            return
        }
        guard let last = numbers[from] else { return }
        require(number > last, "\(from) says \(number) after \(last)")
        numbers[from] = number
    }
}
