import BusdProtocol
import BusdTestKit
import Foundation
import Kitchen
import KitchenViewModels
import Testing

/// The whole bus, without a socket.
struct KitchenTests {
    private let bus = TestBus(.kitchen)

    @Test func `An order has a row, and a view model of its own`() {
        let (ann, wall) = (bus.connect(), bus.connect())
        wall.send("subscribe orders")
        wall.expect(#"{"ok":{…}}"#, #"{"from":"orders"…"orders":[]}}}"#, #"{"live":"orders"…}"#)
        ann.send(
            #"send orders place {"table":4,"dishes":["soup","bread"]}"#,
            #"send order/1 ready {"dish":1}"#, "get order/1")
        ann.expect(
            #"{"ok":{…"dishes":[{"text":"soup","isReady":false},{"text":"bread","isReady":true}]…}"#
        )
        wall.expect(
            #"{…"insert":{"at":0,"row":{"id":"1","table":4,"ready":0,"dishes":2,"isServed":false}}…}"#,
            #"{…"update":{"at":0,"row":{"id":"1","table":4,"ready":1,"dishes":2,"isServed":false}}…}"#
        )
    }

    @Test func `Undo takes back the dish that was ready last`() {
        let ann = bus.connect()
        ann.send(
            #"send orders place {"table":4,"dishes":["soup","bread"]}"#,
            #"send order/1 ready {"dish":1}"#, #"send order/1 ready {"dish":0}"#,
            "send order/1 undo", "get order/1")
        ann.expect(
            #"{"ok":{…"isReady":false},{"text":"bread","isReady":true}]}}]}}"#)
    }

    @Test func `A served order can be reopened for ten minutes`() {
        let ann = bus.connect()
        ann.send(
            #"send orders place {"table":4,"dishes":["soup"]}"#,
            #"send orders serve {"order":"1"}"#, "list order/*")
        ann.expect(#"{"ok":{"viewModels":[]}}"#)
        ann.send(#"send orders reopen {"order":"1"}"#, "list order/*")
        ann.expect(#"{"ok":{"viewModels":[{"address":"order/1"…}]}}"#)
        ann.send(#"send orders serve {"order":"1"}"#)
        bus.advance(by: Deletion.span)
        ann.send(#"send orders reopen {"order":"1"}"#, "get orders")
        ann.expect(#"{"ok":{…"events":[{"orders":{"orders":[]}}]}}"#)
    }

    /// Every later version reads an action in a log, and gives it the same effect.
    @Test(arguments: [
        #"{"ready":{"dish":0}}"#, #"{"undone":{}}"#, #"{"served":{}}"#, #"{"reopened":{}}"#,
    ])
    func `An action in an old log can be read`(line: String) throws {
        _ = try JSONDecoder().decode(Ticket.Action.self, from: Data(line.utf8))
    }
}
