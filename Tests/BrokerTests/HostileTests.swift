import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

/// Malformed input. Each answer to it is a line of JSON, and the bus keeps serving.
@Suite struct `Hostile input` {
    let conversation = """
        {"op":"hello","protocol":1,"name":"é","id":"a"}
        # a comment
        subscribe part/a
        {"op":"send","to":"part/a","event":{"set":{"left":1,"right":-2}},"id":7,"key":"k"}\r
        send part/a say {"text":"\\ud83d\\ude00 \\u00e9"}

          {"op":"subscribe","to":"part/*","only":["left","said"],"as":"x","x-a":[1,{"b":null}]}
        get part/a
        {"op":"unsubscribe","to":"part/a","id":null}
        describe part
        ping
        """

    private func talk(_ chunks: [[UInt8]]) -> [String] {
        let bus = TestBus.lab("a")
        let client = bus.connect()
        for chunk in chunks { client.send(bytes: chunk) }
        client.endInput()
        return client.takeLines()
    }

    @Test func `Input has the same effect in whatever pieces it arrives`() {
        let bytes = Array(conversation.utf8)
        let whole = talk([bytes])
        #expect(whole.count == 20)
        for size in [1, 2, 3, 5, 7, 64, 100] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(talk(chunks) == whole)
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<30 {
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(talk([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
        }
    }

    @Test func `Randomly changed requests are answered in JSON, and the bus keeps serving`() throws
    {
        var random = SeededGenerator(seed: 6)
        let bus = TestBus.lab("a")
        let witness = bus.connect()
        let lines = conversation.split(separator: "\n").map { Array($0.utf8) }
        let document = JSONDocument()
        for _ in 0..<700 {
            let client = bus.connect()
            var bytes: [UInt8] = []
            for _ in 0..<3 {
                var line = lines.randomElement(using: &random) ?? []
                mutate(&line, &random)
                bytes += line + [0x0A]
            }
            client.send(bytes: bytes)
            for answer in client.takeLines() { try document.read(Array(answer.utf8)) }
            client.disconnect()
            _ = witness.takeLines()
        }
        witness.send(#"{"op":"ping","id":1}"#)
        witness.expect(#"{"ok":{},"id":1}"#)
    }

    private func mutate(_ line: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let at = Int.random(in: 0...line.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: line.insert(UInt8.random(in: 0...255, using: &random), at: at)
            case 1 where at < line.count: line.remove(at: at)
            case 2 where at < line.count: line[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 3: line.insert(contentsOf: line[at...].prefix(9), at: at)
            default:
                let marks = Array(#"{}[]":,\u0d8#/*- "#.utf8)
                line.insert(marks.randomElement(using: &random) ?? 0, at: at)
            }
        }
    }

    @Test func `A request with any byte changed is answered in JSON`() throws {
        let line = Array(#"{"op":"get"}"#.utf8)
        let bus = TestBus.lab("a")
        let document = JSONDocument()
        for place in line.indices {
            let client = bus.connect()
            for byte in UInt8.min...UInt8.max where byte != 0x0A && byte != UInt8(ascii: "#") {
                var changed = line
                changed[place] = byte
                // The ping prevents three bad lines in a row.
                client.send(bytes: changed + Array("\nping\n".utf8))
                let answers = client.takeLines()
                #expect(answers.count == 2, "\(byte) at \(place)")
                #expect(answers.last == #"{"ok":{}}"#)
                for answer in answers { try document.read(Array(answer.utf8)) }
            }
        }
    }
}
