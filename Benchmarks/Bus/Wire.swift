/// A `send`, and the lines that every subscriber gets for it.
struct Work: Sendable {
    let name: String
    /// Requests to busd, in turn.
    let sends: [String]
    let subscribe: [String]
    /// The lengths of the lines that a subscriber gets from busd. Other servers deliver lines of
    /// the same lengths.
    let lengths: [Int]

    /// One view model emits a text of 100 characters.
    static let say = Work(
        name: "say",
        sends: [#"{"op":"send","to":"echo/bench","event":{"say":{"text":"\#(letters(100))"}}}"#],
        subscribe: ["echo/bench"], lengths: [162])

    /// The same with an `id`, as busd's clients send: it is answered, and the event has a `cause`.
    static let answeredSay = Work(
        name: "say, answered", sends: say.sends.map { $0.dropLast() + #","id":1}"# },
        subscribe: say.subscribe,
        lengths: say.lengths.map { $0 + #""cause":{"connection":65,"id":1},"#.utf8.count })

    /// A point for a player and its undo, in turn: the player, the scoreboard and the list of games
    /// each emit an event.
    static let onePointMove = Work(
        name: "onePointMove",
        sends: [
            #"{"op":"send","to":"scoreboard/1/home/1","event":"onePointMove"}"#,
            #"{"op":"send","to":"scoreboard/1","event":"undo"}"#,
        ],
        subscribe: ["scoreboard/1/home/1", "scoreboard/1", "games"], lengths: [96, 99, 193])
}

/// The bytes that clients send to a server.
struct Wire: Sendable {
    var subscribe: @Sendable (Work) -> [UInt8]
    var greet: [UInt8] = []
    /// The requests for an event, in turn.
    var publish: @Sendable (Work) -> [[UInt8]]
    /// Number of line feeds that a subscriber gets for one line.
    var marks = 1

    static let busd = Wire(
        subscribe: { work in
            bytes(work.subscribe.map { #"{"op":"subscribe","to":"\#($0)"}"# + "\n" })
        },
        publish: { $0.sends.map { bytes([$0 + "\n"]) } })

    static let floor = Wire(
        subscribe: { _ in bytes(["S\n"]) },
        publish: { work in [bytes(work.lengths.map { letters($0 - 1) + "\n" })] })

    static let redis = Wire(
        subscribe: { _ in resp("SUBSCRIBE", "bench") },
        publish: { work in [work.lengths.flatMap { resp("PUBLISH", "bench", letters($0)) }] },
        marks: 7)

    static let mosquitto = Wire(
        subscribe: { _ in connect + packet(0x82, [0, 1] + mqtt("bench") + [0]) }, greet: connect,
        publish: { work in
            [work.lengths.flatMap { packet(0x30, mqtt("bench") + bytes([letters($0 - 1) + "\n"])) }]
        })

    private static func resp(_ words: String...) -> [UInt8] {
        bytes(["*\(words.count)\r\n"] + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" })
    }

    /// MQTT 3.1.1: a clean session without a client id and without keep-alive.
    private static let connect = packet(0x10, mqtt("MQTT") + [4, 2, 0, 0] + mqtt(""))

    private static func mqtt(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + text.utf8 }

    private static func packet(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(body.count % 128), UInt8(body.count / 128))
        return [type] + (high == 0 ? [low] : [low | 128, high]) + body
    }
}

func bytes(_ texts: [String]) -> [UInt8] { texts.flatMap { $0.utf8 } }

func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
