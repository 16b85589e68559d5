package import BusdProtocol

/// The description of a kind, for `describe`.
package struct KindDescription {
    package let name: String
    package let viewEvents: [EventDescription]
    package let viewModelEvents: [EventDescription]
    /// The description as a JSON object.
    let object: [UInt8]

    package init(
        name: String, viewEvents: [EventDescription], viewModelEvents: [EventDescription],
        limits: [Limit] = []
    ) {
        self.name = name
        self.viewEvents = viewEvents
        self.viewModelEvents = viewModelEvents
        var out = JSONWriter()
        out.object { out in
            out.member("kind", name)
            out.key("viewEvents")
            out.list { out in
                for event in viewEvents { event.write(to: &out, withDelivery: false) }
            }
            out.key("viewModelEvents")
            out.list { out in
                for event in viewModelEvents { event.write(to: &out, withDelivery: true) }
            }
            guard !limits.isEmpty else { return }
            out.key("limits")
            out.object { out in
                for limit in limits {
                    out.key(named: limit.name)
                    out.value(limit.most)
                }
            }
        }
        object = out.bytes
    }

    /// The name of a view event; `nil`: the kind has no such event.
    func name(of event: Request.Event) -> String? {
        viewEvents.first { event.isNamed($0.name) }?.name
    }
}

extension JSONValue {
    /// Whether this is an event with the name, or the bare name.
    func isNamed(_ name: String) -> Bool {
        if kind == .text { return isExactly(text: name) }
        var members = members
        return members.next()?.key.isExactly(text: name) ?? false
    }
}

extension EventDescription {
    fileprivate func write(to out: inout JSONWriter, withDelivery: Bool) {
        out.object { out in
            out.member("name", name)
            out.key("fields")
            out.object { out in
                for field in fields {
                    out.key(named: field.name)
                    out.value(field.isOptional ? field.type.name + "?" : field.type.name)
                }
            }
            writeDetails(to: &out)
            if let edits { out.member("edits", edits) }
            out.key("example")
            out.raw(example)
            if withDelivery { out.member("delivery", delivery.rawValue) }
        }
    }

    /// The words of choices, and the types within lists and objects.
    private func writeDetails(to out: inout JSONWriter) {
        let detailed = fields.filter(\.type.hasDetails)
        guard !detailed.isEmpty else { return }
        out.key("types")
        out.object { out in
            for field in detailed {
                out.key(named: field.name)
                field.type.write(to: &out, isOptional: field.isOptional)
            }
        }
    }
}
