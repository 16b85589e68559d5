import BusdOptions
import Glibc

/// The consent to lose something: `--yes`, or an answer on the terminal.
struct Confirmation {
    static let option = Option(
        "yes", nil, "remove, and restore if others have more: do it without a question")

    /// `--yes` was given.
    let isGiven: Bool

    /// - Throws: `StartError` unless the user agrees.
    func ask(_ question: String) throws(StartError) {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw StartError(
                "\(question) Nothing has changed: without a terminal, add --yes", .usage)
        }
        let bytes = Array("\(question) [y/N] ".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        let answer = readLine() ?? ""
        guard ["y", "Y", "yes"].contains(where: { $0.utf8.elementsEqual(answer.utf8) }) else {
            throw StartError("nothing has changed")
        }
    }
}
