/// The type of a value of a payload, derived from examples.
///
/// `describe` writes a simple type as its name, and the others as an object with one member:
/// `{"list":"text"}`, `{"text":["home","away"]}`, `{"object":{"id":"text","created":"integer?"}}`.
public indirect enum ValueType: Equatable, Sendable {
    /// A number without a fraction, in all examples.
    case integer
    /// A number that may have a fraction.
    case number
    /// A text in quotes.
    case text
    /// One of these texts. The value is an enum of texts that is `CaseIterable`.
    case choice([String])
    /// `true` or `false`.
    case boolean
    /// Only `null` in the examples.
    case null
    /// The type of each element; `nil`: no example has one.
    case list(of: ValueType?)
    /// The members, in their order.
    case object([Member])

    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// The key, such as `created`.
        public let name: String
        /// The type of the value.
        public let type: ValueType
        /// Whether the member may be missing.
        public let isOptional: Bool

        package init(_ name: String, _ type: ValueType, isOptional: Bool = false) {
            (self.name, self.type, self.isOptional) = (name, type, isOptional)
        }
    }

    /// `integer`, `number`, `text`, `boolean`, `null`, `list` or `object`. A choice is a `text`.
    public var name: String {
        switch self {
        case .integer: "integer"
        case .number: "number"
        case .text, .choice: "text"
        case .boolean: "boolean"
        case .null: "null"
        case .list: "list"
        case .object: "object"
        }
    }

    /// Whether its name is not all of it.
    package var hasDetails: Bool {
        switch self {
        case .choice, .list, .object: true
        case .integer, .number, .text, .boolean, .null: false
        }
    }

    package func write(to out: inout JSONWriter, isOptional: Bool = false) {
        let name = isOptional ? name + "?" : name
        switch self {
        case .choice(let words):
            out.object { out in
                out.key(named: name)
                out.list { out in for word in words { out.value(word) } }
            }
        case .list(let element?):
            out.object { out in
                out.key(named: name)
                element.write(to: &out)
            }
        case .object(let members):
            out.object { out in
                out.key(named: name)
                out.object { out in
                    for member in members {
                        out.key(named: member.name)
                        member.type.write(to: &out, isOptional: member.isOptional)
                    }
                }
            }
        case .list(nil), .integer, .number, .text, .boolean, .null: out.value(name)
        }
    }
}

// MARK: From examples

extension ValueType {
    /// - Parameters:
    ///   - path: the place of the value in its example.
    ///   - choices: the words of each enum of texts, by the index of its value.
    ///   - isOptional: whether the value at a place may be missing.
    init(
        _ value: JSONValue, at path: [JSONStep], _ choices: [Int: [String]],
        _ isOptional: ([JSONStep]) -> Bool
    ) {
        switch value.kind {
        case .integer: self = .integer
        case .number: self = .number
        case .text: self = choices[value.index].map { .choice($0) } ?? .text
        case .boolean: self = .boolean
        case .null: self = .null
        case .list:
            let types = value.elements.enumerated().map { index, element in
                ValueType(element, at: path + [.index(index)], choices, isOptional)
            }
            self = .list(of: types.dropFirst().reduce(types.first) { $0?.merged(with: $1) })
        case .object:
            self = .object(
                value.members.map { key, member in
                    let place = path + [.key(key.text ?? "")]
                    return Member(
                        key.text ?? "", ValueType(member, at: place, choices, isOptional),
                        isOptional: isOptional(place))
                })
        }
    }

    /// The type of a list in which some elements have this type, and others the other type. A
    /// member that is missing in some elements is optional.
    private func merged(with other: ValueType) -> ValueType {
        switch (self, other) {
        case (.integer, .number), (.number, .integer): .number
        case (.list(let own), .list(let its)):
            .list(of: own.map { own in its.map(own.merged) ?? own } ?? its)
        case (.object(let own), .object(let its)): .object(Member.merged(own, its))
        default: self
        }
    }
}

extension ValueType.Member {
    fileprivate static func merged(_ own: [Self], _ its: [Self]) -> [Self] {
        let all = own.map { member in
            guard let other = its.first(where: { $0.name == member.name }) else {
                return Self(member.name, member.type, isOptional: true)
            }
            return Self(
                member.name, member.type.merged(with: other.type),
                isOptional: member.isOptional || other.isOptional)
        }
        let more = its.filter { other in !own.contains { $0.name == other.name } }
        return all + more.map { Self($0.name, $0.type, isOptional: true) }
    }
}

/// One step on the way to a value within another.
enum JSONStep: Equatable {
    case key(String)
    case index(Int)
}
