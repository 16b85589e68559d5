import BusdProtocol
import BusdScreens

/// Through ssh, a user is shown by its number.
extension UserNames {
    convenience init(_ settings: CommandSettings) { self.init(isLocal: settings.host == nil) }

    /// Writes the members that say whose connection it is.
    func write(_ uid: Int, _ connection: Int, _ client: String?, to out: inout JSONWriter) {
        out.member("user", name(of: uid))
        out.member("uid", uid)
        out.member("connection", connection)
        if let client { out.member("name", client) }
    }
}
