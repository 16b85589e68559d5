import BusdProtocol

/// The events of a kind as a JSON Schema, draft 2020-12. A value is valid if it is an event of a
/// view, or of a view model of this kind; `$defs` has both apart.
struct Schema {
    private let kind: String
    private let viewEvents: [EventDescription]
    private let viewModelEvents: [EventDescription]

    /// - Parameter kind: the answer of `describe` for one kind.
    init(_ kind: JSONValue) {
        func events(_ key: String) -> [EventDescription] {
            kind[key]?.elements.compactMap(EventDescription.init(described:)) ?? []
        }
        self.kind = kind["kind"]?.text ?? ""
        viewEvents = events("viewEvents")
        viewModelEvents = events("viewModelEvents")
    }

    var json: [UInt8] {
        var out = JSONWriter()
        out.object { out in
            out.member(named: "$schema", "https://json-schema.org/draft/2020-12/schema")
            out.member("title", kind)
            out.key("anyOf")
            out.list { out in
                for name in ["viewEvent", "viewModelEvent"] {
                    out.object { $0.member(named: "$ref", "#/$defs/\(name)") }
                }
            }
            out.key(named: "$defs")
            out.object { out in
                out.key("viewEvent")
                // A view may send an event without fields as its bare name.
                Self.write(viewEvents, bareNames: true, to: &out)
                out.key("viewModelEvent")
                Self.write(viewModelEvents, bareNames: false, to: &out)
            }
        }
        return out.bytes
    }

    private static func write(
        _ events: [EventDescription], bareNames: Bool, to out: inout JSONWriter
    ) {
        guard !events.isEmpty else { return out.value(false) }
        out.object { out in
            out.key("oneOf")
            out.list { out in
                for event in events {
                    write(event, to: &out)
                    if bareNames, event.fields.allSatisfy(\.isOptional) {
                        out.object { $0.member("const", event.name) }
                    }
                }
            }
        }
    }

    private static func write(_ event: EventDescription, to out: inout JSONWriter) {
        let whole = ValueType.Member(event.name, .object(event.fields))
        out.object { out in
            if let list = event.edits {
                out.member("description", "edits the list of the event \(list)")
            }
            writeMembers([whole], to: &out)
            out.key("additionalProperties")
            out.value(false)
            guard !event.example.isEmpty else { return }
            out.key("examples")
            out.list { $0.raw(event.example) }
        }
    }

    private static func writeMembers(_ members: [ValueType.Member], to out: inout JSONWriter) {
        out.member("type", "object")
        out.key("properties")
        out.object { out in
            for member in members {
                out.key(named: member.name)
                write(member.type, to: &out)
            }
        }
        let required = members.filter { !$0.isOptional }
        guard !required.isEmpty else { return }
        out.key("required")
        out.list { out in
            for member in required { out.value(member.name) }
        }
    }

    private static func write(_ type: ValueType, to out: inout JSONWriter) {
        out.object { out in
            switch type {
            case .text: out.member("type", "string")
            case .choice(let words):
                out.member("type", "string")
                out.key("enum")
                out.list { out in for word in words { out.value(word) } }
            case .list(let element):
                out.member("type", "array")
                guard let element else { return }
                out.key("items")
                write(element, to: &out)
            case .object(let members): writeMembers(members, to: &out)
            case .integer, .number, .boolean, .null: out.member("type", type.name)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(named name: String, _ text: String) {
        key(named: name)
        value(text)
    }
}
