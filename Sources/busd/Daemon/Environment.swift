import Glibc

/// The variables that the process was started with.
struct Environment {
    private let lookUp: (String) -> String?

    init(lookUp: @escaping (String) -> String?) { self.lookUp = lookUp }

    static var process: Environment {
        Environment { name in getenv(name).map { String(cString: $0) } }
    }

    /// `nil` if the variable is unset or empty.
    subscript(name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }
}
