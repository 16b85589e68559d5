import BusdClient
import BusdProtocol

/// The pages of all view models but those of the bus itself, at `/view/ADDRESS`: every site has
/// them.
final class ValuePages: SitePages {
    private let answers: SharedQuestions<Address, PageAnswer>

    init(_ reader: BusReader, menu: [MenuLink]) {
        let cache = ValuesCache(reader, menu: menu)
        answers = SharedQuestions { cache.page(of: $0, $1) }
    }

    /// The address in a path; nil: it is no path of a page.
    static func address(in path: String) -> Address? {
        let address = path.rest(after: "/view/").flatMap(Address.init)
        return address?.segments[0] == "bus" ? nil : address
    }

    func page(at path: String, query: [String]) -> (any SitePage)? {
        Self.address(in: path).map { Entry(viewModel: $0, answers: answers) }
    }

    private struct Entry: SitePage {
        let viewModel: Address
        let answers: SharedQuestions<Address, PageAnswer>

        var address: Address? { viewModel }

        /// The page has to know which events edit a list.
        var stream: PageStream {
            .requests([
                .describe(viewModel.text), .subscribe(Pattern(viewModel), as: "browser"),
            ])
        }

        var missing: MessagePage? { .noSuchViewModel }

        func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {
            answers.ask(viewModel, done)
        }
    }
}
