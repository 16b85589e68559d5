import BusdClient
import BusdEventLoop
import BusdHTTP
import BusdProtocol

/// Answers the requests of browsers.
final class Site {
    let loop: ClientLoop
    /// The connection on which pages and the list of games are read. Each other stream has one of
    /// its own.
    let connection: BusConnection
    private let games: SharedQuestions<Address, Result<GameValues, BusReader.Failure>>
    private let values: SharedQuestions<Address, ValuePages.Answer>
    private let board: GamesBoard
    /// Nil: phones cannot keep the score here.
    let phones: Phones?

    init(_ connection: BusConnection, phones: Phones? = nil) {
        (self.connection, self.phones) = (connection, phones)
        loop = connection.loop
        let reader = BusReader(connection: connection)
        let pages = ValuePages(reader)
        games = SharedQuestions { reader.game(at: $0, $1) }
        values = SharedQuestions { pages.page(of: $0, $1) }
        board = GamesBoard(connection)
    }

    func handle(_ exchange: HTTPExchange) {
        guard let route = Route(exchange.request.path) else {
            return exchange.show(.noSuchPage)
        }
        switch (route, exchange.request.method) {
        case (.pairing, .post): pair(exchange)
        case (.sending, .post): send(exchange)
        case (.sending, _), (_, .post): exchange.show(.wrongMethod)
        case (.pairing, _): exchange.show(PairPage())
        case (.page(.games), _): showGames(exchange)
        case (.page(.game(let address)), _): showGame(address, exchange)
        case (.page(.values(let address)), _): showValues(of: address, exchange)
        case (.stream(let subject), .get): stream(subject, exchange)
        case (.stream, _): exchange.show(.wrongMethod)
        case (.asset(let asset), _):
            exchange.answer(.asset(asset, exchange.request, .forever))
        case (.module, _):
            exchange.answer(.asset(Assets.script, exchange.request, .untilItChanges))
        }
    }

    // MARK: Pages

    private func showGames(_ exchange: HTTPExchange) {
        board.ask { result in
            switch result {
            case .success(let page): exchange.answer(page)
            case .failure(let failure): exchange.show(MessagePage(failure, .noSuchPage))
            }
        }
    }

    private func showGame(_ address: Address, _ exchange: HTTPExchange) {
        let isOverlay = exchange.request.query.contains { $0.isExactly("overlay") }
        let look = isOverlay ? ScorePage.Look.overlay : .page
        let pairing = pairing(exchange, for: address)?.pairing
        let wasPaired = phones != nil && !exchange.request.cookies(Self.cookie).isEmpty
        games.ask(address) { result in
            switch result {
            case .success(let game):
                let scorer = pairing.map { Scorer($0, for: game) } ?? (wasPaired ? .former : nil)
                exchange.show(ScorePage(game, look: look, scorer: scorer))
            case .failure(let failure):
                let message = MessagePage(failure, .noSuchGame)
                if isOverlay {
                    exchange.show(EmptyOverlay(message), status: message.status)
                } else {
                    exchange.show(message)
                }
            }
        }
    }

    private func showValues(of address: Address, _ exchange: HTTPExchange) {
        values.ask(address) { result in
            switch result {
            case .success(let page): exchange.answer(page)
            case .failure(let failure): exchange.show(MessagePage(failure, .noSuchViewModel))
            }
        }
    }

    // MARK: Streams

    private func stream(_ subject: Route.Subject, _ exchange: HTTPExchange) {
        let phone = pairing(exchange, for: subject.address)
        let reserve = phone?.pairing.id.description
        guard exchange.hasRoomForStream(reserve: reserve) else {
            return exchange.show(.tooManyBrowsers)
        }
        func answer(_ stream: (any HTTPStream)?) {
            guard let stream else { return exchange.show(.noDaemon) }
            let hasRoom = exchange.stream(
                type: "text/event-stream", headers: HTTPResponse.headersOfAll, reserve: reserve,
                stream)
            if !hasRoom { exchange.show(.tooManyBrowsers) }
        }
        switch subject {
        case .games:
            board.ask { [self] result in
                switch result {
                case .success: answer(gamesStream(exchange))
                case .failure(let failure): exchange.show(MessagePage(failure, .noSuchPage))
                }
            }
        case .game(let address):
            answer(busStream(exchange, address, phone, isGame: true))
        case .values(let address): answer(busStream(exchange, address, phone))
        }
    }

    private func gamesStream(_ exchange: HTTPExchange) -> GamesStream {
        GamesStream(loop: loop.loop, board: board) { [weak exchange] in exchange?.wake() }
    }

    /// The pairing of the phone that asks; nil: it is a browser that looks.
    private func pairing(
        _ exchange: HTTPExchange, for address: Address?
    ) -> (pairing: Pairing, cookie: String)? {
        do throws(StateFault) {
            return try phones?.pairing(of: exchange.request.cookies(Self.cookie), for: address)
        } catch {
            Log.write("\(error)")
            return nil
        }
    }

    /// Nil if busd is not there. A phone stays connected while its page follows.
    private func busStream(
        _ exchange: HTTPExchange, _ address: Address,
        _ pairing: (pairing: Pairing, cookie: String)?, isGame: Bool = false
    ) -> BusStream? {
        guard case .connected(let socket) = connectUnix(path: connection.path) else { return nil }
        var patterns = [Pattern(address)]
        if isGame, let players = Pattern("\(address)/*/*") { patterns.append(players) }
        // The page of any view model has to know which of its events edit a list.
        let requests =
            (isGame ? [] : [.describe(address.text)])
            + patterns.map { BusRequest.subscribe($0, as: "browser") }
        let phone = pairing.flatMap { phones?.phone($0, cookie: $1) }
        if let phone, isGame, phone.pairing.covers(address) { phone.game = address }
        return BusStream(loop: loop.loop, socket: socket, requests: requests) {
            [weak exchange] in withExtendedLifetime(phone) { exchange?.wake() }
        }
    }
}
