import BusdClient
import BusdGamesEvents
import BusdHTTP
import BusdProtocol

/// The newest games, as the first page shows them, and the streams that follow them.
final class GamesBoard: View {
    let output = Output<Games.ViewEvent>()
    /// The games that the first page shows. Nil while busd does not show its list.
    private(set) var newest: [Games.Row]?
    /// `newest` as the line of an event; empty if there is none.
    private(set) var line: [UInt8] = []
    /// The first page, once it was asked for after a change.
    private var page: HTTPResponse?
    private let remote: RemoteViewModel<Games>
    private var rows: [Games.Row] = []
    private var watchers: [ObjectIdentifier: () -> Void] = [:]
    private var questions: [Question<Result<HTTPResponse, BusReader.Failure>>] = []
    private let connection: BusConnection

    init(_ connection: BusConnection) {
        self.connection = connection
        remote = RemoteViewModel(connection, at: .literal("games"), as: "list")
        remote.onUpdate = { [weak self] in self?.show() }
        remote.onLiveChanged = { [weak self] _ in self?.show() }
        remote.onRefused = { [weak self] error in
            self?.answer(.failure(BusReader.Failure(.refused(error))))
        }
        bind(with: remote)
    }

    func handle(event: Games.ViewModelEvent) {
        switch event {
        case .games(let games): rows = games
        case .gamesEdited(let edits): _ = rows.apply(edits)
        case .created: break
        }
    }

    /// Calls `done` once with the page of `newest`, after busd has answered: a list of a busd that
    /// hangs may be old.
    func ask(_ done: @escaping (Result<HTTPResponse, BusReader.Failure>) -> Void) {
        let question = Question(done)
        question.deadline = connection.loop.clock.schedule(after: BusReader.patience) {
            [weak self] in
            question.answer(.failure(.unreachable))
            self?.questions.removeAll { $0 === question }
        }
        connection.request(.ping) { [weak self] answer in
            if case .failure(let failure) = answer {
                question.answer(.failure(BusReader.Failure(failure)))
            }
            guard let self, question.isOpen else { return }
            if let newest { return question.answer(.success(page(of: newest))) }
            questions.append(question)
            // It has ended if busd refused the list before.
            remote.start()
        }
    }

    private func page(of games: [Games.Row]) -> HTTPResponse {
        let page = page ?? .page(GamesPage(rows: games), at: "/")
        self.page = page
        return page
    }

    private func answer(_ answer: Result<HTTPResponse, BusReader.Failure>) {
        let asked = questions
        questions = []
        for question in asked { question.answer(answer) }
    }

    /// Calls `changed` after each change of `newest`, until `unwatch`.
    func watch(_ watcher: AnyObject, _ changed: @escaping () -> Void) {
        watchers[ObjectIdentifier(watcher)] = changed
    }

    func unwatch(_ watcher: AnyObject) { watchers[ObjectIdentifier(watcher)] = nil }

    private func show() {
        let newest = remote.isLive ? GamesPage.newest(of: rows) : nil
        let line = newest.map(Self.line) ?? []
        // By bytes: another form of the same name is a change.
        guard line != self.line else { return }
        (self.newest, self.line, page) = (newest, line, nil)
        for changed in watchers.values { changed() }
        if let newest, !questions.isEmpty { answer(.success(page(of: newest))) }
    }

    private static func line(_ games: [Games.Row]) -> [UInt8] {
        var json = JSONWriter()
        json.object { out in
            out.member("from", Games.name)
            out.member("event", Games.ViewModelEvent.games(games: games))
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
