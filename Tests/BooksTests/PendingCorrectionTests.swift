import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// Two clients correct the same book, and the log has neither correction yet.
@Suite struct `Two corrections of a book that wait for the log` {
    private struct Services: HasBooks, HasClock, HasDirectory {
        let books: Library<Book>
        let clock: any BusdProtocol.Clock
        let directory: any Directory
    }

    private let log = TestLog()
    private let bus: TestBus

    init() {
        bus = TestBus(log: log) { host in
            let services = Services(
                books: Library(host.libraries), clock: host.clock, directory: host)
            host.register(BooksViewModel.self, services: services)
            host.register(CardsViewModel.self, services: services)
            host.register(StudyViewModel.self, services: services)
        }
        log.isFast = true
        let keeper = bus.connect()
        keeper.send(
            #"send books importBook {"name":"K","cards":[{"front":"a","back":"b"}]}"#)
        bus.logReported()
        _ = keeper.takeLines()
        log.isFast = false
    }

    static let corrections: [(address: String, first: String, second: String)] = [
        (
            "books", #"renameBook {"book":"1","from":"K","to":"X"}"#,
            #"renameBook {"book":"1","from":"K","to":"Y"}"#
        ),
        (
            "cards/1", #"removeCard {"at":0,"card":{"front":"a","back":"b"}}"#,
            #"removeCard {"at":0,"card":{"front":"a","back":"b"}}"#
        ),
    ]

    @Test(arguments: corrections)
    func `The second is stale`(address: String, first: String, second: String) {
        let (ann, bo) = (bus.connect(), bus.connect())
        ann.send("send \(address) \(first)")
        bo.send("send \(address) \(second)")
        for _ in 0..<9 {
            log.succeed()
            bus.logReported()
        }
        ann.expectNothing()
        bo.expect(#"{"error":{"code":"stale",…}}"#)
    }
}
