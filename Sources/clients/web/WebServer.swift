import BusdClient
import BusdEventLoop
import BusdFiles
import BusdHTTP
import Glibc

/// A run of the server, until SIGINT, SIGTERM or SIGHUP.
struct WebServer {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Streams that only paired phones may have, however many browsers follow.
    private static let reserve = 32

    private let settings: Settings
    private let parts: [SitePart]

    init(_ settings: Settings, _ parts: [SitePart]) {
        (self.settings, self.parts) = (settings, parts)
    }

    func run() throws {
        let systemd = try Systemd.takeFromEnvironment()
        let phoneCount = settings.control == nil ? 0 : PairingStore.most
        let reserve = settings.control == nil ? 0 : Self.reserve
        var limits = HTTPLimits(streams: settings.browsers, reserve: reserve)
        let descriptors = 3 * (settings.browsers + reserve) + phoneCount + 256
        limits.backlog = max(64, Self.allowDescriptors(descriptors, spare: limits.backlog))
        let loop = try ClientLoop()
        let certificate = try settings.certificate.map(Self.read)
        let listener = try Listener(settings, systemd.passed)
        let connection = BusConnection(
            loop: loop, paths: settings.viewSockets, name: "busd-web", dial: connectUnix)
        let url = settings.url(at: listener.place)
        let phones = settings.control.map {
            Phones(
                for: parts.phones, control: $0, store: PairingStore(in: settings.state), loop: loop)
        }
        // A server without phones leaves the folder alone, so several can run.
        let note = try phones.map { _ in
            try ServerNote(url: url, pairsPhones: true).publish(in: settings.state)
        }
        let site = Site(connection, parts, phones: phones)
        let server = try HTTPServer(
            loop: loop.loop, at: listener.socket, hosts: HTTPHosts(names: settings.names),
            limits: limits, certificate: certificate, handler: site.handle)
        let ending = isIgnored(SIGHUP) ? [SIGTERM, SIGINT] : [SIGTERM, SIGINT, SIGHUP]
        let signals = try ending.map { try loop.whenSignalled($0) { loop.stop() } }
        connection.listen(site) { _, event in Self.log(event) }
        connection.open()
        Log.write("serving \(url)")
        try systemd.notify("READY=1\nSTATUS=\(url)")
        withExtendedLifetime((signals, note, listener)) { loop.run() }
        try systemd.notify("STOPPING=1")
        server.stop()
        connection.close()
    }

    private static func log(_ event: BusConnection.Event) {
        switch event {
        case .connected: Log.write("connected to busd")
        case .lost(.notOpen), .line: break
        case .lost(let loss): Log.write("\(loss); trying again")
        }
    }

    private static func read(
        _ files: (chain: String, key: String)
    ) throws -> HTTPServer.Certificate {
        HTTPServer.Certificate(chain: try read(files.chain), key: try read(files.key))
    }

    /// A file in PEM, of at most 1 MiB.
    private static func read(_ path: String) throws -> String {
        do {
            let text = try readFile(path, most: 1 << 20)
            if !text.contains(0) { return String(decoding: text, as: UTF8.self) }
            throw Failure(description: "\(path): is not a file in PEM")
        } catch let error as FileFault {
            throw Failure(description: "\(path): \(error.reason(of: path))")
        }
    }

    /// Raises the limit of descriptors to `count` and `spare`, as far as allowed. Returns how many
    /// of the spare ones are allowed.
    private static func allowDescriptors(_ count: Int, spare: Int) -> Int {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)  // fits: it is a constant
        guard getrlimit(descriptors, &limit) == 0 else { return 0 }
        let all = rlim_t(count + spare)  // fits: an option is at most 900
        if limit.rlim_cur < all {
            limit.rlim_cur = min(all, limit.rlim_max)
            setrlimit(descriptors, &limit)
        }
        if limit.rlim_cur < count {
            Log.write(
                "so many browsers need \(count) descriptors, and \(limit.rlim_cur) are allowed: "
                    + "raise LimitNOFILE or `ulimit -Hn`")
        }
        return min(spare, Int(clamping: limit.rlim_cur) - count)
    }
}
