/// Environment variables, read strictly.
struct Variables {
    /// Nil for a variable that is not set.
    let value: (String) -> String?

    /// A whole number from 0 to `most`, or nil for a variable that is not set.
    func number(_ name: String, upTo most: Int64 = .max) throws(MalformedVariable) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let number = Int64(text), 0...most ~= number else {
            throw MalformedVariable(name: name, value: text)
        }
        return number
    }
}

/// An environment variable with an unusable value.
package struct MalformedVariable: Error, Equatable, CustomStringConvertible {
    package let name: String
    package let value: String

    package var description: String { "\(name) has an invalid value: '\(value)'" }
}
