import BusdClient
import BusdOptions
import BusdProtocol
import Glibc

/// Completes addresses for the scripts of shells, with those that the daemon serves now.
struct Completions {
    /// A key must not wait for long.
    private static let longest = Duration.milliseconds(200)

    /// Nil unless an address is to be completed.
    func run(_ words: ArraySlice<String>, _ console: Console) -> ExitStatus? {
        guard words.first == "--complete" else { return nil }
        let words = Array(words.dropFirst())
        guard Viewctl.program.completion(of: words) == .addresses else { return nil }
        // ssh would ask, or take its time.
        guard getenv("BUSD_HOST") == nil, !words.contains(where: { $0.hasPrefix("--host") }),
            let connection = try? BusConnection(loop: ClientLoop(), path: Self.socket(in: words))
        else { return .done }
        let list = SingleRequest(connection, .list(), within: Self.longest).run()
        guard case .success(let answer) = list else { return .done }
        let addresses = answer.value["viewModels"]?.elements.compactMap { model in
            model["address"]?.text.map {
                Completion.Candidate($0.printable, model["kind"]?.text?.printable ?? "")
            }
        }
        console.put(Completion.words(addresses ?? []).lines(startingWith: words.last ?? ""))
        return .done
    }

    private static func socket(in words: [String]) -> String? {
        for (word, next) in zip(words, words.dropFirst()) where ["-s", "--socket"].contains(word) {
            return next
        }
        return words.lazy.filter { $0.hasPrefix("--socket=") }.map { String($0.dropFirst(9)) }.first
    }
}
