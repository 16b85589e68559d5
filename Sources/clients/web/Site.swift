import BusdClient
import BusdEventLoop
import BusdHTTP
import BusdProtocol

/// Answers the requests of browsers.
final class Site {
    private let loop: ClientLoop
    /// The connection on which pages and shared streams are read. Each other stream has one of its
    /// own.
    private let connection: BusConnection
    let parts: [SitePart]
    private let router: Router
    /// Nil: phones cannot be paired here.
    let phones: Phones?

    init(_ connection: BusConnection, _ parts: [SitePart], phones: Phones? = nil) {
        (self.connection, self.parts, self.phones) = (connection, parts, phones)
        loop = connection.loop
        let reader = BusReader(connection: connection)
        router = Router(
            pages: parts.map { $0.pages(reader) } + [ValuePages(reader, menu: parts.menu)],
            assets: Assets.all + parts.flatMap(\.assets))
    }

    func handle(_ exchange: HTTPExchange) {
        let request = exchange.request
        guard let route = router.route(request.path, query: request.query) else {
            return show(noSuchPage, exchange)
        }
        switch (route, request.method) {
        case (.pairing, .post): pair(exchange)
        case (.sending, .post): send(exchange)
        case (.sending, _), (_, .post): show(.wrongMethod, exchange)
        case (.pairing, _): exchange.show(PairPage(parts.phones, menu: parts.menu))
        case (.page(let page), _): show(page, exchange)
        case (.stream(let page), .get): stream(page, exchange)
        case (.stream, _): show(.wrongMethod, exchange)
        case (.asset(let asset), _): exchange.answer(.asset(asset, request, .forever))
        case (.module, _): exchange.answer(.asset(Assets.script, request, .untilItChanges))
        }
    }

    private func show(_ message: MessagePage, _ exchange: HTTPExchange) {
        exchange.show(message.linked(to: parts.menu), status: message.status)
    }

    private var noSuchPage: MessagePage { .noSuchPage(parts.hints) }

    // MARK: Pages

    private func show(_ page: any SitePage, _ exchange: HTTPExchange) {
        page.load(for: { visitor(exchange, for: page.address) }) { [self] answer in
            switch answer {
            case .success(let response): exchange.answer(response)
            case .failure(let failure):
                let message = MessagePage(failure, page.missing ?? noSuchPage).linked(
                    to: parts.menu)
                exchange.show(page.page(saying: message), status: message.status)
            }
        }
    }

    private func visitor(_ exchange: HTTPExchange, for address: Address?) -> Visitor {
        if let phone = pairing(exchange, for: address) { return .phone(phone.pairing) }
        let wasPaired = phones != nil && !exchange.request.cookies(Self.cookie).isEmpty
        return wasPaired ? .formerPhone : .browser
    }

    // MARK: Streams

    private func stream(_ page: any SitePage, _ exchange: HTTPExchange) {
        let phone = pairing(exchange, for: page.address)
        let reserve = phone?.pairing.id.description
        guard exchange.hasRoomForStream(reserve: reserve) else {
            return show(.tooManyBrowsers, exchange)
        }
        func answer(_ stream: (any HTTPStream)?) {
            guard let stream else { return show(.noDaemon, exchange) }
            let hasRoom = exchange.stream(
                type: "text/event-stream", headers: HTTPResponse.headersOfAll, reserve: reserve,
                stream)
            if !hasRoom { show(.tooManyBrowsers, exchange) }
        }
        switch page.stream {
        case .requests(let requests): answer(busStream(exchange, page, requests, phone))
        case .shared(let shared):
            shared.ask { [self] result in
                switch result {
                case .success: answer(sharedStream(exchange, shared))
                case .failure(let failure):
                    show(MessagePage(failure, page.missing ?? noSuchPage), exchange)
                }
            }
        }
    }

    private func sharedStream(_ exchange: HTTPExchange, _ page: SharedPage) -> SharedStream {
        SharedStream(loop: loop.loop, page: page) { [weak exchange] in exchange?.wake() }
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
        _ exchange: HTTPExchange, _ page: any SitePage, _ requests: [BusRequest],
        _ pairing: (pairing: Pairing, cookie: String)?
    ) -> BusStream? {
        guard case .connected(let socket) = connectUnix(path: connection.path) else { return nil }
        let phone = pairing.flatMap { phones?.phone($0, cookie: $1) }
        if let phone, let presence = page.presence, phone.pairing.covers(presence.address) {
            phone.presence = presence
        }
        return BusStream(loop: loop.loop, socket: socket, requests: requests) {
            [weak exchange] in withExtendedLifetime(phone) { exchange?.wake() }
        }
    }
}
