import BusdClient
import BusdHTTP
import BusdProtocol

@testable import BusdSite

/// A part of the tests' own, for a bus with a view model `orders` and one for each order. It needs
/// nothing of an application.
extension SitePart {
    static let orders = SitePart(
        link: MenuLink("Orders", all: "All orders"), hint: "An order is at /order/1",
        assets: [OrderPages.style],
        phones: PhoneUse(
            purpose: "serve the orders", title: "Serve", scriptNotice: "Serving needs JavaScript.",
            module: OrderPages.module,
            opening: { pattern in
                pattern.address.map { PhoneUse.Opening(path: "/\($0)", presence: nil) }
            },
            presence: { Presence(at: $0, event: "served") }),
        pages: { OrderPages($0) })
}

final class OrderPages: SitePages {
    static let style = Asset(style: Array("b { color: red; }\n".utf8), name: "orders")
    static let module = Asset(script: Array("export const pair = 1;\n".utf8), name: "serve")

    private let reader: BusReader
    private let wall: SharedPage

    init(_ reader: BusReader) {
        self.reader = reader
        wall = SharedPage(reader)
        wall.subscribe = { [weak self] in self?.readWall() }
    }

    func page(at path: String, query: [String]) -> (any SitePage)? {
        if path.isExactly("/") { return Wall(shared: wall) }
        guard let order = path.rest(after: "/order/").flatMap({ Address("order/\($0)") }) else {
            return nil
        }
        return Order(order: order, isLarge: query.contains("large"), reader: reader)
    }

    private func readWall() {
        reader.values(of: .literal("orders")) { [wall] result in
            guard case .success(let values) = result, let json = values.first?.json else {
                return wall.refuse(WireError(.unknownViewModel, ""))
            }
            let text = String(decoding: json, as: UTF8.self)
            wall.show(Array("\(text)\n".utf8)) { .page(OrderPage(text: text), at: "/") }
        }
    }

    struct Wall: SitePage {
        let shared: SharedPage

        var address: Address? { nil }
        var stream: PageStream { .shared(shared) }

        func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {
            shared.ask(done)
        }
    }

    struct Order: SitePage {
        let order: Address
        let isLarge: Bool
        let reader: BusReader

        var address: Address? { order }
        var presence: Presence? { Presence(at: order, event: "served") }
        var stream: PageStream { .requests([.subscribe(Pattern(order), as: "order")]) }
        var missing: MessagePage? {
            MessagePage(status: 404, title: "No such order", text: "It was served.")
        }

        func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {
            let name =
                switch visitor() {
                case .browser: "a browser"
                case .phone(let pairing): pairing.name
                case .formerPhone: "a former phone"
                }
            reader.values(of: order) { [order] result in
                done(
                    result.map {
                        let text = "\($0.count) values for \(name)"
                        return .page(OrderPage(text: text), at: "/\(order)")
                    })
            }
        }

        func page(saying message: MessagePage) -> any Page {
            isLarge ? OrderPage(text: "nothing") : message
        }
    }
}

struct OrderPage: Page {
    let title = "Order"
    let text: String

    var body: HTML { "<main>\(text)</main>" }
}
