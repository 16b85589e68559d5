import Glibc

/// The variables that the process was started with.
struct Environment {
    private let lookUp: (String) -> String?

    init(lookUp: @escaping (String) -> String?) { self.lookUp = lookUp }

    static var process: Environment {
        Environment { name in getenv(name).map { String(cString: $0) } }
    }

    /// `nil` for a variable that is not set; an empty one counts as none.
    subscript(name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }
}
