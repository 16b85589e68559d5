import BusdClient
import BusdProtocol

/// A list that events edit.
struct EditedList {
    /// The name of the event with the list.
    let event: String
    /// The field of the list.
    let list: String
}

/// The values of a view model, as its events report them. Edits of a list are applied to it.
struct ViewModelState {
    /// By the name of the event that edits the list.
    private let edits: [String: EditedList]
    /// The payloads of the newest events, as JSON, without the lists in `rows`.
    private var payloads: [String: [UInt8]] = [:]
    /// The rows of lists that are edited, as JSON, by the name of their event.
    private var rows: [String: [[UInt8]]] = [:]

    init(_ edits: [String: EditedList]) { self.edits = edits }

    /// Forgets all values: those of a snapshot follow.
    mutating func removeAll() { (payloads, rows) = ([:], [:]) }

    /// - Parameter event: an object with one key, the name.
    /// - Returns: the name of the value that has changed: of this event, or of the edited list.
    @discardableResult
    mutating func apply(_ event: JSONValue) -> String? {
        guard let (key, payload) = event.onlyMember, let name = key.text else { return nil }
        if let edited = edits[name] {
            // Taken out, so that an edit copies no list. If an edit does not fit, the list stays
            // unknown until the next snapshot.
            guard var list = rows.removeValue(forKey: edited.event) else { return nil }
            if payload["edits"]?.elements.allSatisfy({ list.apply($0) }) == true {
                rows[edited.event] = list
            }
            return edited.event
        }
        guard let list = list(of: name) else {
            payloads[name] = Array(payload.json)
            return name
        }
        rows[name] = payload[list]?.elements.map { Array($0.json) } ?? []
        payloads[name] = Self.json { out in
            for (key, value) in payload.members where key.text?.isExactly(list) == false {
                out.key(named: key.text ?? "")
                out.raw(value.json)
            }
        }
        return name
    }

    /// Nil: there is none.
    func value(at path: ValuePath) -> JSONValue? {
        let fields = path.fields[...]
        guard let payload = payloads[path.event] else { return nil }
        guard let list = list(of: path.event) else { return Self.read(payload)?.value(at: fields) }
        guard let rows = rows[path.event] else { return nil }
        if fields.count > 1, fields[0].isExactly(list) {
            guard let place = Int(fields[1]), rows.indices.contains(place) else { return nil }
            return Self.read(rows[place])?.value(at: fields[2...])
        }
        let whole = Self.json { out in
            for (key, value) in Self.read(payload)?.members.map(\.self) ?? [] {
                out.key(named: key.text ?? "")
                out.raw(value.json)
            }
            out.key(named: list)
            out.list { out in
                for row in rows { out.raw(row) }
            }
        }
        return Self.read(whole)?.value(at: fields)
    }

    /// The field of an event that has an edited list.
    private func list(of event: String) -> String? {
        edits.values.first { $0.event.isExactly(event) }?.list
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var out = JSONWriter()
        out.object(members)
        return out.bytes
    }

    private static func read(_ json: [UInt8]) -> JSONValue? {
        let document = JSONDocument()
        guard (try? document.read(json, limits: BusLine.limits)) != nil else { return nil }
        return document.root
    }
}

extension [[UInt8]] {
    /// Applies an edit as JSON, such as `{"delete":{"at":0}}`. False: it does not fit.
    fileprivate mutating func apply(_ edit: JSONValue) -> Bool {
        guard let (key, values) = edit.onlyMember else { return false }
        let row = values["row"].map { [UInt8]($0.json) }
        switch (key.text, values["at"]?.integer, row) {
        case ("delete", let at?, _) where indices.contains(at): remove(at: at)
        case ("insert", let at?, let row?) where 0...count ~= at: insert(row, at: at)
        case ("update", let at?, let row?) where indices.contains(at): self[at] = row
        case ("move", _, _):
            guard let from = values["from"]?.integer, let to = values["to"]?.integer,
                indices.contains(from), indices.contains(to)
            else { return false }
            insert(remove(at: from), at: to)
        default: return false
        }
        return true
    }
}
