import BusdProtocol

// What a daemon asks Redis when it connects.
extension HouseFunctions {
    private static let library = "busd_house_2"

    /// Asks for the code of the functions that Redis has.
    static let question = ["FUNCTION", "LIST", "LIBRARYNAME", library, "WITHCODE"]

    /// Whether an answer to `question` has this code.
    static func areLoaded(_ answer: RedisValue) -> Bool {
        answer[0]["library_code"].string?.isExactly(code) == true
    }

    /// Something else than these functions has appended to the log.
    static let otherEnd = "the log in Redis does not end with the entry that it must"

    static let loading = ["FUNCTION", "LOAD", "REPLACE", code]

    static func look(_ house: HouseName, _ position: Int) -> [String] {
        ["FCALL_RO", "busd_2_look", "2", house.head, house.log, "\(position)"]
    }

    static func ready(_ house: HouseName, _ identity: String) -> [String] {
        ["FCALL", "busd_2_ready", "2", house.head, house.log, identity]
    }
}
