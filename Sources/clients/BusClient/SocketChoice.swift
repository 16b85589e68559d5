import Glibc

/// Where the daemon's control socket is (PROTOCOL.md, section 10).
public enum SocketChoice {
    /// The path that was given, else `BUSD_SOCKET`, else the default.
    public static func path(given: String? = nil) -> String {
        path(given: given) { name in getenv(name).map { String(cString: $0) } }
    }

    static func path(given: String?, variable: (String) -> String?) -> String {
        func set(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let folder = set("XDG_RUNTIME_DIR") ?? "/run"
        return given ?? set("BUSD_SOCKET") ?? folder + "/busd/busd.sock"
    }
}
