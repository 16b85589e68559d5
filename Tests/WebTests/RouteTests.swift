import BusdHTTP
import BusdProtocol
import Testing

@testable import web

struct RouteTests {
    @Test func `Each path of the site has its route`() {
        #expect(Route("/") == .page(.games))
        #expect(Route("/scoreboard/7") == .page(.game(.literal("scoreboard/7"))))
        #expect(Route("/view/a/b") == .page(.values(.literal("a/b"))))
        #expect(Route("/stream/") == .stream(.games))
        #expect(Route("/stream/scoreboard/7") == .stream(.game(.literal("scoreboard/7"))))
        #expect(Route("/stream/view/games") == .stream(.values(.literal("games"))))
        #expect(Route("/pair") == .pairing)
        #expect(Route("/send") == .sending)
        for asset in Assets.all { #expect(Route(asset.path) == .asset(asset)) }
        #expect(Route("/page.js") == .module)
    }

    @Test func `Lines become events, in pieces of any size`() {
        let lines = Array("{\"a\":1}\n\n{}\nx\n".utf8)
        for size in 1...lines.count {
            var writer = EventWriter()
            var output: [UInt8] = []
            for start in stride(from: 0, to: lines.count, by: size) {
                let piece = lines[start...].prefix(size)
                // The least room in which the piece fits.
                let room = 4 * piece.count + 2
                #expect(EventWriter.mostInput(for: room) == piece.count)
                var buffer = [UInt8](repeating: 0, count: room)
                let count = buffer.withUnsafeMutableBytes { writer.write(piece, to: $0) }
                output += buffer[..<count]
            }
            #expect(output == Array("data:{\"a\":1}\n\ndata:{}\n\ndata:x\n\n".utf8))
        }
    }
}
