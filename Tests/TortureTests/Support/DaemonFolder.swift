import Glibc
import TestSupport
import Testing

/// The folder of one daemon.
extension Folder {
    var socket: String { self("busd.sock") }
    var state: String { self("state") }
    static let databases = ["log.sqlite", "state.sqlite"]
}

enum Programs {
    /// The daemon that was built with these tests, or the program that `BUSD_TORTURE_DAEMON` names.
    static func daemon() throws -> String {
        if let given = getenv("BUSD_TORTURE_DAEMON") { return String(cString: given) }
        return try Products.path("busd")
    }
}
