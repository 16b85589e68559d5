import CBusdSystem
import Glibc

// A word that is not UTF-8 cannot be a Swift text. A repaired word would name another file, socket
// or user, so such a word is refused, and so is such a variable.

extension Program {
    /// Parses the command line of this process.
    package func parseCommandLine() throws(UsageError) -> Invocation {
        try parse(words((0..<busd_argument_count()).map { busd_argument($0) }))
    }

    /// The command line without the program's name.
    /// - Parameter arguments: the name and the words, as execve(2) was given them.
    func words(_ arguments: [UnsafePointer<CChar>?]) throws(UsageError) -> [String] {
        var words: [String] = []
        for (place, argument) in arguments.enumerated().dropFirst() {
            guard let argument else { break }
            guard let word = String(validatingCString: argument) else {
                let hint = "write it in UTF-8 (for such a file, make a link)"
                throw UsageError(
                    command: name,
                    message: "argument \(place) is not UTF-8: '\(spelled(argument))'; \(hint)")
            }
            words.append(word)
        }
        return words
    }
}

extension Arguments {
    /// Throws if one of these environment variables is not UTF-8.
    package func requireText(ofVariables names: String...) throws(UsageError) {
        for name in names {
            guard let value = getenv(name), String(validatingCString: value) == nil else {
                continue
            }
            throw error("the variable \(name) is not UTF-8: '\(spelled(value))'")
        }
    }
}

/// Bytes for a message: at most a hundred, and `\xE9` for one that is not ASCII.
private func spelled(_ bytes: UnsafePointer<CChar>) -> String {
    let all = UnsafeBufferPointer(start: bytes, count: strlen(bytes))
    let shown = all.prefix(100).map { byte in
        let byte = UInt8(bitPattern: byte)
        return byte < 0x80
            ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }
    return shown.joined() + (all.count > 100 ? "…" : "")
}
