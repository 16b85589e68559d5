import Testing

@testable import BusdSite

struct EventWriterTests {
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
