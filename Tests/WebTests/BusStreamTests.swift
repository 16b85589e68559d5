import BusdClient
import BusdHTTP
import BusdEventLoop
import BusdProtocol
import Testing

@testable import web

@Suite struct BusStreamTests {
    private let loop: Loop
    private let busd: Descriptor
    private let stream: BusStream
    private let wakes = Count()

    private final class Count {
        var value = 0
    }

    init() throws {
        loop = try Loop()
        let sockets = try connectedSockets()
        busd = sockets.far
        let request = BusRequest.subscribe(Pattern(Address.literal("echo/a")), as: "browser")
        let wakes = wakes
        let stream = BusStream(
            loop: loop, socket: sockets.near, requests: [request], silence: 1_000
        ) { wakes.value += 1 }
        self.stream = try #require(stream)
    }

    @Test func `a silent stream says that it lives, again and again, and never within a line`() {
        for _ in 0..<3 { #expect(next() == "data:{\"ping\":1}\n\n") }
        write("{\"a\"")
        #expect(next() == "data:{\"a\"")
        wait()
        #expect(read() == nil)
        write(":1}\n")
        #expect(next() == ":1}\n\n")
        #expect(next() == "data:{\"ping\":1}\n\n")
    }

    // MARK: The two ends

    private func write(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { busd.write($0) } == .bytes(text.utf8.count))
    }

    private func wait() {
        wakes.value = 0
        while wakes.value == 0 { loop.turn(block: true) }
    }

    /// What the browser gets next.
    private func next() -> String {
        while true {
            if let text = read() { return text }
            wait()
        }
    }

    /// Nil: nothing now.
    private func read() -> String? {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
            guard case .bytes(let count) = stream.read(into: buffer) else { return nil }
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
