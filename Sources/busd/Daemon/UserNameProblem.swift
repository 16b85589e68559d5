import BusdProtocol

/// Why the name of a new user is refused: with such characters a name looks like the name of
/// another user, or looks different to each reader. `NameProblem` has the other rules for names.
enum UserNameProblem: Equatable {
    case hasInvisible(Unicode.Scalar)
    /// A space other than the plain one.
    case hasBlank(Unicode.Scalar)
    case hasPrivateUse(Unicode.Scalar)
    case hasOuterSpace
    /// No client can send such a name.
    case hasManyMarks

    /// `nil` if the name has no such problem.
    init?(of name: String) {
        if let problem = name.unicodeScalars.lazy.compactMap(Self.init(of:)).first {
            self = problem
        } else if name.utf8.first == UInt8(ascii: " ") || name.utf8.last == UInt8(ascii: " ") {
            self = .hasOuterSpace
        } else if !name.streamSafe.isExactly(name) {
            self = .hasManyMarks
        } else {
            return nil
        }
    }

    private init?(of scalar: Unicode.Scalar) {
        if 0x20..<0x7F ~= scalar.value { return nil }
        // Its category is "other symbol", but it looks blank.
        let blankBraille: Unicode.Scalar = "\u{2800}"
        switch scalar.properties.generalCategory {
        case .format: self = .hasInvisible(scalar)
        case _ where scalar.properties.isDefaultIgnorableCodePoint: self = .hasInvisible(scalar)
        case .spaceSeparator: self = .hasBlank(scalar)
        case .privateUse: self = .hasPrivateUse(scalar)
        case _ where scalar == blankBraille: self = .hasBlank(scalar)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .hasInvisible(let scalar):
            "the name has the invisible character \(Self.point(scalar)): remove it"
        case .hasBlank(let scalar):
            "the name has the character \(Self.point(scalar)), which looks like a space: "
                + "use a plain space"
        case .hasPrivateUse(let scalar):
            "the name has the private-use character \(Self.point(scalar)): remove it"
        case .hasManyMarks: "the name has more than 30 combining marks in a row: remove some"
        case .hasOuterSpace: "the name begins or ends with a space: remove the space"
        }
    }

    private static func point(_ scalar: Unicode.Scalar) -> String {
        "U+" + String(scalar.value, radix: 16, uppercase: true)
    }
}
