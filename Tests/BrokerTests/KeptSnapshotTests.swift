import BusdBroker
import BusdProtocol
import TestSupport
import Testing

@testable import BusdTestKit

@Suite struct `A snapshot that is kept` {
    let bus = TestBus.lab("a", "b")

    init() { bus.bus.keepSnapshots(from: 0) }

    private func join(_ address: String) -> [String] {
        let view = bus.connect()
        view.send("subscribe \(address)")
        return Array(view.takeLines().dropFirst())
    }

    private func isKept(_ address: Address) -> Bool { bus.bus.keepsSnapshot(of: address) }

    @Test func `A kept snapshot is sent again for subscribe and for get`() {
        let first = join("part/a")
        #expect(isKept(.literal("part/a")))
        #expect(first.count == 4)
        #expect(join("part/a") == first)
        let client = bus.connect()
        client.send("get part/a")
        client.expect(
            #"{"ok":{"address":"part/a","cursor":"…:0","done":"…","events":[{"left":{"number":0}},"#
                + #"{"right":{"number":0}},{"items":{"list":[]}}]}}"#)
    }

    @Test func `A kept snapshot is filtered for each subscription`() {
        _ = join("part/a")
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","only":["right"]}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"right":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A kept snapshot is discarded when its view model emits`() {
        _ = join("part/a")
        _ = join("part/b")
        let other = bus.connect()
        other.send(#"send part/a set {"left":7}"#)
        #expect(!isKept(.literal("part/a")))
        #expect(isKept(.literal("part/b")))
        #expect(
            join("part/a").first
                == #"{"from":"part/a","seq":1,"snapshot":true,"more":true,"event":"#
                + #"{"left":{"number":7}}}"#)
    }

    @Test func `A kept snapshot is not used for a later view model at the same address`() {
        _ = join("part/a")
        let other = bus.connect()
        other.send(
            #"send part/a set {"left":7}"#, #"send bench remove {"part":"a"}"#,
            #"send bench add {"part":"a"}"#)
        #expect(
            join("part/a").first
                == #"{"from":"part/a","seq":0,"snapshot":true,"more":true,"event":"#
                + #"{"left":{"number":0}}}"#)
    }

    @Test func `A snapshot of the list of views is kept only while the list is watched`() {
        let client = bus.connect()
        client.send("get bus/views")
        #expect(client.takeLines().count == 1)
        #expect(!isKept(BusViews.address))
        #expect(join("bus/views").count == 2)
        #expect(isKept(BusViews.address))
    }

    @Test func `A kept snapshot is forgotten after two seconds`() {
        _ = join("part/a")
        bus.advance(by: .microseconds(1_999_999))
        #expect(isKept(.literal("part/a")))
        bus.advance(by: .microseconds(1))
        #expect(!isKept(.literal("part/a")))
        _ = join("part/b")
        #expect(isKept(.literal("part/b")))
    }

    @Test func `At most four snapshots are kept, and only long ones`() {
        let other = bus.connect()
        for name in ["c", "d", "e"] { other.send(#"send bench add {"part":"\#(name)"}"#) }
        for name in ["a", "b", "c", "d", "e"] { _ = join("part/\(name)") }
        #expect(!isKept(.literal("part/a")))
        for name in ["b", "c", "d", "e"] { #expect(Address("part/\(name)").map(isKept) == true) }
        bus.bus.keepSnapshots(from: 10_000)
        _ = join("part/a")
        #expect(!isKept(.literal("part/a")))
        let item = String(repeating: "x", count: 10_000)
        other.send(#"send part/a append {"item":"\#(item)"}"#)
        _ = join("part/a")
        #expect(isKept(.literal("part/a")))
    }
}

@Suite struct `Many subscribers` {
    @Test func `Each of many subscribers gets events until it leaves, in any order`() {
        var random = SeededGenerator(seed: 3)
        let bus = TestBus.lab("a", "b")
        let sender = bus.connect()
        var views = (0..<30).map { _ in bus.connect() }
        for (number, view) in views.enumerated() {
            view.join(number.isMultiple(of: 3) ? "part/*" : "part/a")
        }
        views.shuffle(using: &random)
        while let view = views.popLast() {
            if views.count.isMultiple(of: 2) {
                view.disconnect()
            } else {
                view.send("unsubscribe part/*", "unsubscribe part/a")
                _ = view.takeLines()
            }
            sender.send(#"send part/a say {"text":"\#(views.count)"}"#)
            view.expectNothing()
            for other in views {
                other.expect(
                    #"{"from":"part/a","seq":…,"event":{"said":{"text":"\#(views.count)"}}}"#)
            }
        }
    }
}
