import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// Completes addresses, events and values for the scripts of shells, with those that the daemon
/// serves now.
struct Completions {
    /// A key must not wait for long.
    private static let longest = Duration.milliseconds(200)

    /// Nil unless the daemon must be asked.
    func run(_ words: ArraySlice<String>, _ console: Console) -> ExitStatus? {
        guard words.first == "--complete" else { return nil }
        let words = Array(words.dropFirst())
        let request: BusRequest
        let candidates: (JSONValue) -> [Completion.Candidate]
        switch Viewctl.program.completion(of: words) {
        case .addresses: (request, candidates) = (.list(), Self.addresses)
        case .events(let address): (request, candidates) = (.describe(address), Self.events)
        case .values(let address): (request, candidates) = (.describe(address), Self.values)
        case .words, .files, .nothing: return nil
        }
        // ssh would ask, or take its time.
        guard getenv("BUSD_HOST") == nil, !words.contains(where: { $0.hasPrefix("--host") }),
            let connection = try? BusConnection(
                loop: ClientLoop(),
                to: Viewctl.daemon(given: Self.argument(of: ["--daemon"], in: words)),
                path: Self.argument(of: ["--socket", "-s"], in: words))
        else { return .done }
        let session = Session(connection, within: .total(Self.longest))
        guard let answer = try? session.answer(to: request) else { return .done }
        console.put(Completion.words(candidates(answer)).lines(startingWith: words.last ?? ""))
        return .done
    }

    // A daemon may list anything, and a shell would take it into the command line. So each
    // candidate is an address, or made of names.

    private static func addresses(_ list: JSONValue) -> [Completion.Candidate] {
        list["viewModels"]?.elements.compactMap { model in
            model["address"]?.text.flatMap(Address.init).map {
                .init($0.text, model["kind"]?.text?.printable ?? "")
            }
        } ?? []
    }

    private static func events(_ kind: JSONValue) -> [Completion.Candidate] {
        kind["viewEvents"]?.elements.compactMap { event in
            event["name"]?.text.flatMap { isName($0) ? .init($0) : nil }
        } ?? []
    }

    private static func values(_ kind: JSONValue) -> [Completion.Candidate] {
        DescribedKinds([kind]).kinds.flatMap(\.events).filter { $0.delivery == .latest }
            .flatMap { event in
                event.fields.filter { isName(event.name) && isName($0.name) }.map {
                    .init("\(event.name).\($0.name)", $0.type.name.printable)
                }
            }
    }

    /// Whether this may be the name of an event or of a value: letters, digits and `_`.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetter || $0 == 0x5F || (0x30...0x39).contains($0) }
    }

    /// - Parameter option: its long form, and then its letter if it has one.
    private static func argument(of option: [String], in words: [String]) -> String? {
        for (word, next) in zip(words, words.dropFirst()) where option.contains(word) {
            return next
        }
        let long = option[0] + "="
        return words.first { $0.hasPrefix(long) }.map { String($0.dropFirst(long.count)) }
    }
}
