import Glibc
import TestSupport
import Testing

/// The end of input means "no more requests", with the real tools.
struct HalfCloseTests {
    private let bus: BusFixture

    init() throws { bus = try BusFixture() }

    @Test(arguments: ["socat -t60 - UNIX-CONNECT:$BUSD_SOCKET", "nc -N -U $BUSD_SOCKET"])
    func `All requests from a pipe are answered before the connection ends`(tool: String) throws {
        let requests = (1...200).map { #"{"op":"get","to":"games","id":\#($0)}"# }
        let outcome = try bus.run("bash", "-c", tool, input: requests.joined(separator: "\n"))
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 200)
        #expect(zip(1..., lines).allSatisfy { $1.hasSuffix(#"},"id":\#($0)}"#) })
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["socat -t86400 - UNIX-CONNECT:$BUSD_SOCKET", "nc -N -U $BUSD_SOCKET"])
    func `A subscription from a pipe continues after the end of the input`(tool: String) throws {
        let follower = try bus.start(["bash", "-c", tool], input: "subscribe echo/x\n")
        #expect(try follower.output.line()?.hasPrefix(#"{"ok":{"to":"echo/x","#) == true)
        #expect(try follower.output.line()?.hasPrefix(#"{"live":"echo/x","#) == true)
        let sender = try bus.connect()
        for text in ["one", "two"] {
            try sender.send(#"send echo/x say {"text":"\#(text)"}"#)
            #expect(
                try follower.output.line()?.hasSuffix(#""event":{"said":{"text":"\#(text)"}}}"#)
                    == true)
        }
        #expect(try bus.stop().status == 0)
        #expect(try follower.output.line()?.hasPrefix(#"{"bye":{"code":"closing""#) == true)
        #expect(try follower.outcome().output == "")
    }

    @Test func `A connection without subscriptions closes after the end of its input`() throws {
        let client = try bus.connect()
        try client.send("subscribe echo/x", "unsubscribe echo/x", "ping")
        client.endInput()
        #expect(try client.line()?.hasPrefix(#"{"ok":{"to":"echo/x","#) == true)
        #expect(try client.line()?.hasPrefix(#"{"live":"echo/x","#) == true)
        #expect(try client.line() == #"{"ok":{}}"#)
        #expect(try client.line() == nil)
    }
}
