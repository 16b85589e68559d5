import BusdOptions
import BusdProtocol
import BusdScreens

extension Console {
    /// The end of a run with a name or value that nothing has, after its message.
    func misfit(_ verb: String, _ problem: String) -> Outcome {
        writeError("viewctl \(verb): \(problem)")
        return Outcome(.usage)
    }

    /// Puts a line of JSON, or the lines of `text`.
    func put(_ value: JSONValue, _ form: OutputForm, text: (TextStyle) -> [String]) {
        put(json: [value.json], form, text: text)
    }

    /// Puts lines of JSON, or the lines of `text`.
    func put(
        json lines: @autoclosure () -> [ArraySlice<UInt8>], _ form: OutputForm,
        text: (TextStyle) -> [String]
    ) {
        switch form {
        case .json: for line in lines() { put(json: line) }
        case .text(let style): put(lines: text(style))
        }
    }
}
