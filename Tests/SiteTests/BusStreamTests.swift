import BusdClient
import BusdEventLoop
import BusdHTTP
import BusdProtocol
import Glibc
import Testing

@testable import BusdSite

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
        _ = fcntl(busd.number, F_SETFL, O_NONBLOCK)
        let request = BusRequest.subscribe(Pattern(Address.literal("echo/a")), as: "browser")
        let wakes = wakes
        let stream = BusStream(
            loop: loop, socket: sockets.near, requests: [request], silence: 1_000
        ) { wakes.value += 1 }
        self.stream = try #require(stream)
    }

    @Test func `After a silence busd is asked for a sign of life, again and again`() {
        let requests = BusRequest.subscribe(Pattern(Address.literal("echo/a")), as: "browser")
        #expect(asked() == String(decoding: requests.line(id: 1), as: UTF8.self))
        for _ in 0..<3 {
            // What busd has not answered is no sign of life.
            #expect(read() == nil)
            #expect(asked() == "{\"op\":\"ping\",\"id\":2}\n")
            write("{\"ok\":{},\"id\":2}\n")
            #expect(next() == "data:{\"ok\":{},\"id\":2}\n\n")
        }
    }

    // MARK: The two ends

    private func write(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { busd.write($0) } == .bytes(text.utf8.count))
    }

    /// The next lines for busd.
    private func asked() -> String {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
            while true {
                if case .bytes(let count) = busd.read(into: buffer) {
                    return String(decoding: buffer.prefix(count), as: UTF8.self)
                }
                loop.turn(block: true)
            }
        }
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
