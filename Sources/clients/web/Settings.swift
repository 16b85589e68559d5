import BusdClient
import BusdEventLoop
import BusdHTTP
import BusdOptions
import BusdProtocol

/// The settings of a server, from the command line.
struct Settings {
    /// Nil: at the socket that systemd has opened, else at 127.0.0.1:8080.
    let listen: ListenPlace?
    /// Nil: the view socket beside the default control sockets.
    let socket: String?
    /// Nil: phones cannot be paired.
    let control: String?
    /// Names of the server, without the port.
    let names: [String]
    /// Where a proxy serves this server, for links: `/court`, or empty.
    let path: String
    /// The most streams.
    let browsers: Int
    /// The folder of the pairings, with `control`.
    let state: PairingFolder
    /// The files, if the server itself encrypts.
    let certificate: (chain: String, key: String)?
    /// The network is trusted.
    private let isPlain: Bool
    private let arguments: Arguments

    static let listenOption = Option(
        "listen", "l", argument: "PLACE",
        "where to serve: ADDRESS:PORT, with any free port for 0, or unix:PATH for a proxy "
            + "(default: the socket that systemd opened, else 127.0.0.1:8080)")
    static let socketOption = Option(
        "socket", "s", argument: "PATH",
        "busd's view socket (default: view.sock beside --control, else beside $BUSD_SOCKET, else "
            + "$XDG_RUNTIME_DIR/busd/view.sock, else /run/busd/view.sock)")
    static let nameOption = Option(
        "name", "n", argument: "HOST",
        "a name of this server for browsers; may be repeated (addresses and localhost always work)")
    static let pathOption = Option(
        "path", argument: "PATH",
        "the path below which a proxy serves this server, such as /court: links for phones have it")
    static let browsersOption = Option(
        "browsers", argument: "N", "the most pages that follow at once, up to 900 (default: 500)")
    static let certificateOption = Option(
        "certificate", argument: "FILE", "serve with TLS: the certificate and its chain, in PEM")
    static let keyOption = Option(
        "key", argument: "FILE", "the key of the certificate, in PEM")
    static let plainOption = Option(
        "plain", nil,
        "allow --control without TLS on a network that you trust")

    private static func controlOption(for purpose: String) -> Option {
        Option(
            "control", argument: "PATH",
            "busd's control socket: phones that you pair may \(purpose)")
    }

    /// - Parameter purpose: what phones can do.
    static func options(for purpose: String) -> [Option] {
        [
            listenOption, socketOption, nameOption, pathOption, browsersOption, certificateOption,
            keyOption, controlOption(for: purpose), plainOption, PairingFolder.option,
        ]
    }

    /// - Parameter purpose: what phones can do.
    init(_ arguments: Arguments, purpose: String) throws(UsageError) {
        listen =
            try arguments.value(
                Self.listenOption,
                "a numeric address and a port, such as 0.0.0.0:8080, or unix:PATH",
                ListenPlace.init)
        socket = try arguments.path(Self.socketOption)
        control = try arguments.path(Self.controlOption(for: purpose))
        state = try PairingFolder(arguments)
        names = arguments.all(Self.nameOption)
        if let name = names.first(where: { !HTTPHosts.isName($0) }) {
            throw arguments.error(
                "--name needs a host name such as score.example.org, without a port, not "
                    + "'\(name)'")
        }
        path =
            try arguments.value(
                Self.pathOption, "a path such as /court, without a slash at its end", Self.path)
            ?? ""
        if !path.isEmpty, names.isEmpty { throw arguments.error("--path needs --name") }
        browsers = try arguments.integer(Self.browsersOption, in: 1...900) ?? 500
        switch (try arguments.path(Self.certificateOption), try arguments.path(Self.keyOption)) {
        case (let chain?, let key?): certificate = (chain, key)
        case (nil, nil): certificate = nil
        case (_?, nil): throw arguments.error("--certificate needs --key")
        case (nil, _?): throw arguments.error("--key needs --certificate")
        }
        isPlain = arguments.has(Self.plainOption)
        self.arguments = arguments
        if let listen { try check(listen) }
    }

    /// Refuses a place at which others could read the cookies of phones, or find no address.
    func check(_ place: ListenPlace) throws(UsageError) {
        if control != nil, !place.isLocal, certificate == nil, !isPlain {
            throw arguments.error(
                "--control on \(place) would let others on the network read the pairings: add "
                    + "--certificate and --key, or --plain if you trust the network")
        }
        if case .unix = place, names.isEmpty {
            throw arguments.error(
                "\(place) has no address for browsers: add --name, with the name of the proxy")
        }
    }

    /// The view sockets at which busd may be.
    var viewSockets: [String] {
        if let socket { return [socket] }
        let controls = control.map { [$0] } ?? SocketChoice.paths()
        return controls.map { "\(parentFolder(of: $0))/view.sock" }
    }

    /// A verb uses the state folder alone.
    static func checkUse(_ arguments: Arguments, purpose: String) throws(UsageError) {
        guard let verb = arguments.verb else { return }
        let unused = options(for: purpose).filter { $0 != PairingFolder.option }
        if let option = unused.first(where: { arguments.has($0) }) {
            throw arguments.error("\(verb) does not use --\(option.name)")
        }
    }

    /// Nil: the text is no path of a proxy.
    private static func path(_ text: String) -> String? {
        let segments = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPath =
            segments.count > 1 && segments[0].isEmpty && text.utf8.count <= 100
            && segments.dropFirst().allSatisfy { Address(String(Substring($0))) != nil }
        return isPath ? text : nil
    }

    /// The URL of the server: with its first name, if it has one.
    ///
    /// A server with a name that only this machine reaches, without a certificate, is behind a
    /// proxy, which speaks TLS.
    func url(at place: ListenPlace) -> String {
        guard case .network(let address) = place else {
            return "https://\(names.first ?? "")\(path)"
        }
        guard let name = names.first else {
            return "\(certificate == nil ? "http" : "https")://\(address.reachable)"
        }
        if place.isLocal && certificate == nil { return "https://\(name)\(path)" }
        let usualPort: UInt16 = certificate == nil ? 80 : 443
        let port = address.port == usualPort ? "" : ":\(address.port)"
        return "\(certificate == nil ? "http" : "https")://\(name)\(port)\(path)"
    }
}
