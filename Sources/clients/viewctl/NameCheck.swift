import BusdClient
import BusdProtocol

/// Checks the names of `--only` and `--until`, and the type of the value of `--until`, with the
/// help of `describe`. With a wrong name or value, `watch` would wait for ever. A pattern may match
/// view models that are created later, so it needs the description of all kinds.
struct NameCheck {
    private let patterns: [Pattern]
    private let only: [String]
    private let until: Condition?

    /// Nil if no name was given.
    init?(_ watch: Watch) {
        guard watch.only != nil || watch.until != nil else { return nil }
        patterns = watch.patterns
        only = watch.only ?? []
        until = watch.until
    }

    /// Asks the daemon. `answered` gets the error message; nil if the names are known or cannot be
    /// checked. It is not called if the connection is lost first.
    func ask(_ connection: BusConnection, _ answered: @escaping (String?) -> Void) {
        var left = requests.count
        var kinds: [JSONValue]? = []
        for request in requests {
            connection.request(request) { answer in
                left -= 1
                switch answer {
                case .success(let value): kinds? += Self.kinds(in: value)
                case .failure(.refused): kinds = nil
                case .failure: return
                }
                if left == 0 { answered(kinds.flatMap(errorMessage)) }
            }
        }
    }

    var requests: [BusRequest] {
        let addresses = patterns.compactMap(\.address)
        return addresses.count == patterns.count
            ? addresses.map { .describe($0.text) } : [.describe()]
    }

    private static func kinds(in answer: JSONValue) -> [JSONValue] {
        answer["kinds"].map { Array($0.elements) } ?? [answer]
    }

    /// - Parameter kinds: the answer of `describe` for each kind.
    func errorMessage(_ kinds: [JSONValue]) -> String? {
        let events = kinds.flatMap { $0["viewModelEvents"].map { Array($0.elements) } ?? [] }
        // Without descriptions the names cannot be checked.
        guard !events.isEmpty else { return nil }
        let names = Set(events.compactMap { $0["name"]?.text }).sorted()
        for name in only + [until?.name].compactMap(\.self) where !names.contains(name) {
            return Self.errorMessage(Self.missing(name, kinds), name, names)
        }
        guard let until, let field = until.field else { return nil }
        let found = events.filter { $0["name"]?.text == until.name }
        let members = found.flatMap { $0["fields"].map { Array($0.members) } ?? [] }
        let types = members.filter { $0.key.text == field }.compactMap(\.value.text)
            .map { $0.replacing("?", with: "") }
        guard !types.isEmpty else {
            let fields = Set(members.compactMap(\.key.text)).sorted()
            return Self.errorMessage("\(until.name) has no field '\(field)'", field, fields)
        }
        guard !types.contains(where: until.mayHold(ofType:)) else { return nil }
        let wanted = types[0] == "boolean" ? "true or false" : "of type \(types[0])"
        return "viewctl watch: \(until.name).\(field) is \(wanted), not '\(until.value ?? "")'"
    }

    private static func missing(_ name: String, _ kinds: [JSONValue]) -> String {
        let names = Set(kinds.compactMap { $0["kind"]?.text })
        guard names.count == 1, let kind = names.first else {
            return "no view model here emits the event '\(name)'"
        }
        return "the kind \(kind) emits no event '\(name)'"
    }

    private static func errorMessage(_ what: String, _ name: String, _ known: [String]) -> String {
        let near = Suggestions.near(name, among: known)
        let hint = near.isEmpty ? "" : "\n  did you mean \(near.joined(separator: " or "))?"
        return "viewctl watch: " + what + hint
    }
}
