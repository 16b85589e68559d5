import BusdProtocol

/// A condition on a value of a view model, such as `score.home>=11`.
struct Condition: Equatable {
    enum Comparison: String, CaseIterable {
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case equal = "="
        case less = "<"
        case greater = ">"
    }

    let path: ValuePath
    /// Nil: the value is there, and is not `false`.
    let comparison: Comparison?
    /// What the value is compared with; empty without a comparison.
    let operand: String

    init?(_ text: String) {
        let signs = Array("!<=>".utf8)
        let start = text.utf8.firstIndex(where: signs.contains) ?? text.endIndex
        let rest = text[start...]
        let comparison = Comparison.allCases.first { rest.utf8.starts(with: $0.rawValue.utf8) }
        guard comparison != nil || rest.isEmpty, let path = ValuePath(String(text[..<start])),
            !path.fields.isEmpty || comparison == nil
        else { return nil }
        (self.path, self.comparison) = (path, comparison)
        operand = String(rest.utf8.dropFirst(comparison?.rawValue.utf8.count ?? 0)) ?? ""
    }

    /// The value is there, and is not `false`.
    init(_ path: ValuePath) { (self.path, comparison, operand) = (path, nil, "") }

    /// `gone`, which is no event: there is no view model at the address.
    var isGone: Bool { comparison == nil && path.text.isExactly("gone") }

    /// - Parameter value: at `path`; nil: there is none.
    func holds(for value: JSONValue?) -> Bool {
        guard let value, value.kind != .null else { return false }
        guard let comparison else { return value.boolean != false }
        let isSameJSON = value.json.elementsEqual(operand.utf8)
        return comparison.holds(for: isSameJSON ? 0 : order(value))
    }

    /// Below zero if the value is less than the operand. Values without an order are greater.
    private func order(_ value: JSONValue) -> Int {
        if let text = value.text {
            return text.isExactly(operand)
                ? 0 : text.utf8.lexicographicallyPrecedes(operand.utf8) ? -1 : 1
        }
        if let own = value.integer, let other = Int(operand) {  // fits: else nil
            return own == other ? 0 : own < other ? -1 : 1
        }
        guard let own = value.number, let other = Double(operand) else { return 1 }
        return own == other ? 0 : own < other ? -1 : 1
    }
}

extension Condition.Comparison {
    fileprivate func holds(for order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
