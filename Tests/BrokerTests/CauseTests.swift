import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `A cause` {
    @Test(
        arguments: [
            (.integer(0), "0"), (.integer(-7), "-7"), (.integer(Int.min), "\(Int.min)"),
            (.text("a1"), #""a1""#), (.text(""), #""""#), (.text("a\"b\\\n"), #""a\"b\\\n""#),
            (
                .text(String(repeating: "\u{1}", count: 64)),
                #""\#(String(repeating: #"\u0001"#, count: 64))""#
            ),
        ] as [(Request.ID, String)])
    func `A cause names the connection and the id`(id: Request.ID, json: String) throws {
        for connection in [1, Int.max] {
            let cause = try #require(Cause(connection, id))
            var bytes: [UInt8] = []
            bytes.append(addingCapacity: cause.longest) { cause.write(to: &$0) }
            #expect(
                String(decoding: bytes, as: UTF8.self)
                    == #""cause":{"connection":\#(connection),"id":\#(json)},"#)
        }
    }

    @Test func `A request without an id is no cause`() { #expect((Cause(1, nil) == nil) as Bool) }
}
