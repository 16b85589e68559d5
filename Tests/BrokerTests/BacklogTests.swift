import BusdProtocol
import Testing

@testable import BusdBroker

@Suite("The backlog of a socket")
struct BacklogTests {
    private let game = ModelID(slot: 1, number: 1)
    private let book = ModelID(slot: 2, number: 1)
    private let addresses: [Address]
    private var backlog = Backlog()
    private var lastCatchUp = 0

    init() throws {
        addresses = try ["echo/1", "echo/2"].map { try #require(Address($0)) }
    }

    private mutating func queue(_ kind: Queued, _ text: String = "line") {
        backlog.append(Array((text + "\n").utf8)[...], kind)
    }

    private func address(_ model: ModelID) -> Address { addresses[model == game ? 0 : 1] }

    private mutating func event(_ model: ModelID, _ seq: Int, previous: Int?) {
        queue(
            .event(
                model, address(model), seq: seq, previous: previous, at: Instant(microseconds: 0)),
            #"{"from":"echo/\#(model.slot)","seq":\#(seq)}"#)
    }

    private mutating func drop(request: Int? = nil) -> [String] {
        let all = backlog.drop(request: request, last: lastCatchUp)
        lastCatchUp = max(lastCatchUp, all.last?.catchUp ?? 0)
        return all.map { dropped in
            let previous = dropped.previous.map { "\($0)" } ?? "nothing"
            let shown = dropped.shownAt.map { ", shown at \($0)" } ?? ""
            return "\(dropped.catchUp): \(dropped.address) after \(previous)"
                + " up to \(dropped.last)\(shown)"
        }
    }

    /// Removes and returns the bytes that can be written before the next catch-up.
    private mutating func written() -> String {
        var text = ""
        while true {
            let more = backlog.withWritable { String(decoding: $0, as: UTF8.self) }
            guard !more.isEmpty else { return text }
            backlog.wrote(more.utf8.count)
            text += more
        }
    }

    @Test mutating func `Dropped events leave one catch-up in the place of the first`() {
        queue(.answer, "a")
        event(game, 5, previous: 4)
        event(book, 1, previous: 0)
        event(game, 6, previous: 5)
        queue(.answer, "b")
        #expect(drop() == ["1: echo/1 after 4 up to 6", "1: echo/2 after 0 up to 1"])
        #expect(backlog.eventBytes == 0)
        #expect(written() == "a\n")
        #expect(backlog.catchUpAtFront == 1)
        backlog.fill([(Text(line: Array("gap".utf8)), .notice)], isComplete: true)
        #expect(written() == "gap\nb\n")
        #expect(backlog.isEmpty)
    }

    @Test mutating func `Events behind a gone wait for another catch-up`() {
        event(game, 5, previous: 4)
        queue(.gone(game, isNamed: false))
        event(book, 1, previous: 0)
        #expect(drop() == ["1: echo/1 after 4 up to 5", "2: echo/2 after 0 up to 1"])
        #expect(backlog.openCatchUp == 2)
    }

    @Test mutating func `Events before an answer that shows their view model end their gap there`()
    {
        event(game, 5, previous: 4)
        queue(.joined(game, seq: 6))
        event(game, 7, previous: 6)
        #expect(
            drop() == ["1: echo/1 after 4 up to 5, shown at 6", "2: echo/1 after 6 up to 7"])
    }

    @Test mutating func `Events behind the catch-up of a request wait for another one`() {
        lastCatchUp = 1
        backlog.append(catchUp: 1, isOpen: false)
        event(game, 5, previous: 4)
        #expect(drop(request: 1) == ["2: echo/1 after 4 up to 5"])
        #expect(backlog.catchUpAtFront == 1)
    }

    @Test mutating func `A view model that arrives and ends unseen leaves nothing`() {
        event(game, 0, previous: nil)
        queue(.gone(game, isNamed: false), "gone")
        queue(.answer, "a")
        #expect(drop() == ["1: echo/1 after nothing up to 0"])
        backlog.fill([], isComplete: true)
        #expect(written() == "a\n")
    }

    @Test mutating func `The end of a view model that an answer has named is not dropped`() {
        event(game, 0, previous: nil)
        queue(.gone(game, isNamed: true), "gone")
        #expect(drop() == ["1: echo/1 after nothing up to 0"])
        backlog.fill([], isComplete: true)
        #expect(written() == "gone\n")
    }

    @Test mutating func `A line that was partly written is finished`() {
        event(game, 5, previous: 4)
        backlog.wrote(3)
        event(game, 6, previous: 5)
        #expect(drop() == ["1: echo/1 after 5 up to 6"])
        #expect(written() == #"rom":"echo/1","seq":5}"# + "\n")
    }
}
