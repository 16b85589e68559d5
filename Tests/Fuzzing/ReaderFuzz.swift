import BusdBooksEvents
import BusdEcho
import BusdGamesEvents
import BusdLoginEvents
import BusdProtocol

/// A line that the reader accepts is JSON within the limits, and means the same when it is written
/// again. An event that is read, written and read again is the same event.
func fuzzReader(_ bytes: [UInt8]) {
    let document = JSONDocument()
    guard (try? document.read(bytes)) != nil else {
        require(document.root == nil, "a line that was refused has left a value")
        return
    }
    guard let root = document.root else { return require(false, "a line was accepted as nothing") }
    require(bytes.count >= root.json.count, "a value is longer than its line")
    let limits = Limits()
    let (values, depth) = measure(root)
    require(values <= limits.values, "\(values) values were accepted")
    require(depth <= limits.depth, "\(depth) levels were accepted")
    writeAgain(root)
    readEvents(root)
}

private func measure(_ value: JSONValue) -> (values: Int, depth: Int) {
    var (values, depth) = (1, 0)
    func add(_ child: JSONValue) {
        let below = measure(child)
        values += below.values
        depth = max(depth, below.depth)
    }
    for element in value.elements { add(element) }
    for (_, member) in value.members { add(member) }
    let isContainer = value.kind == .object || value.kind == .list
    return (values, isContainer ? depth + 1 : depth)
}

private func writeAgain(_ root: JSONValue) {
    var out = JSONWriter()
    write(root, to: &out)
    let again = JSONDocument()
    require((try? again.read(out.bytes)) != nil, "what is written can't be read")
    var third = JSONWriter()
    if let root = again.root { write(root, to: &third) }
    require(third.bytes == out.bytes, "what is written twice is not the same")
}

private func write(_ value: JSONValue, to out: inout JSONWriter) {
    switch value.kind {
    case .object:
        out.object { out in
            for (key, member) in value.members {
                out.key(named: key.text ?? "")
                write(member, to: &out)
            }
        }
    case .list: out.list { out in for element in value.elements { write(element, to: &out) } }
    case .text: out.value(value.text ?? "")
    case .integer:
        if let integer = value.integer { out.value(integer) } else { out.raw(value.raw) }
    case .number: out.raw(value.raw)
    case .boolean: out.value(value.boolean ?? false)
    case .null: out.null()
    }
}

private func readEvents(_ root: JSONValue) {
    read(Games.self, root)
    read(GameCreator.self, root)
    read(Scoreboard.self, root)
    read(Player.self, root)
    read(Books.self, root)
    read(BookCreator.self, root)
    read(Study.self, root)
    read(Cards.self, root)
    read(Login.self, root)
    read(Echo.self, root)
    read(BusClock.self, root)
    read(BusViews.self, root)
    read(BusStatistics.self, root)
}

private func read<Kind: ViewModelKind>(_ kind: Kind.Type, _ root: JSONValue) {
    readAgain(Kind.ViewEvent.self, root)
    readAgain(Kind.ViewModelEvent.self, root)
}

private func readAgain<Event: WireEvent>(_ type: Event.Type, _ root: JSONValue) {
    guard let event = try? root.decode(type, at: "event") else { return }
    var out = JSONWriter()
    let document = JSONDocument()
    require(
        (try? out.value(encoding: event, revealingSecrets: true)) != nil,
        "\(event) was read and can't be written")
    require((try? document.read(out.bytes)) != nil, "\(event) is not written as JSON")
    let again = document.root.flatMap { try? $0.decode(type, at: "event") }
    require(again == event, "\(event) is written as another event")
}
