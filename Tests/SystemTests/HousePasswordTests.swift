import TestSupport
import Testing

/// Replaced passwords of a house.
struct HousePasswordTests {
    private static func hash(_ letter: Character) -> String {
        let text = String(repeating: letter, count: 22)
        return "$argon2id$v=19$m=65536,t=2,p=1$\(text)$\(text)\(text)"
    }

    @Test(arguments: [
        #"{"addUser":{"name":"ann","hash":"NEW"}}"#, #"{"removeUser":{"name":"ann"}}"#,
    ])
    func `Redis has no hash that was replaced, neither in memory nor in its file`(
        change: String
    ) throws {
        let house = try HouseFixture("--rdbcompression", "no")
        let buses = try (0..<2).map { try house.serve($0) }
        func send(_ event: String, _ bus: BusFixture) throws {
            try house.send(#"{"op":"send","to":"bus/users","id":1,"event":\#(event)}"#, bus)
        }
        try send(#"{"addUser":{"name":"ann","hash":"\#(Self.hash("o"))"}}"#, buses[0])
        #expect(try files(of: house).contains(Self.hash("o")))
        try send(change.replacing("NEW", with: Self.hash("n")), buses[1])
        try eventually("files without the old hash") {
            try files(of: house)
        } is: {
            !$0.contains(Self.hash("o"))
        }
        #expect(try files(of: house).contains(Self.hash("n")) == change.contains("NEW"))
        let log = try house.run(["XRANGE", "busd:league:log", "-", "+"])
        #expect(!log.contains(Self.hash("o")))
        // A new member loads the states.
        let late = try house.serve(2)
        try house.send(house.createGame, late)
        for bus in buses { try house.expectState("following", bus) }
    }

    /// The content of the append-only files.
    private func files(of house: HouseFixture) throws -> String {
        try Child(["sh", "-c", "cat \(house.redis.folder("appendonlydir"))/*"]).outcome().output
    }
}
