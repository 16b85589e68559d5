import TestSupport
import Testing

@Suite struct FewDescriptorsTests {
    @Test func `With few descriptors, a daemon admits fewer connections, some reserved`() throws {
        let folder = try Folder()
        let busd = try Products.path("busd")
        let limited = #"ulimit -n 128; exec "$0" --socket "$1" --state :memory:"#
        let daemon = try Child(["sh", "-c", limited, busd, folder("busd.sock")])
        _ = try daemon.errors.line()
        let client = try Conversation(with: folder("busd.sock"))
        let answer = try #require(try client.ask(#"{"op":"hello","protocol":1}"#))
        #expect(
            answer.contains(
                #""connections":64,"connectionsReserved":8,"connectionsPerUser":16,"#))
        daemon.signal(15)
        #expect(try daemon.outcome().status == 0)
    }
}
