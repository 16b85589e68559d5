import BusdAccounts
import BusdBroker
import BusdEventLoop
public import BusdHosting
import BusdOptions
public import BusdProtocol
import BusdStorage
import CBusdSystem
import Glibc

/// A daemon that hosts view models. This is a complete program:
///
///     @main enum Program {
///         static func main() {
///             BusDaemon(name: "counterd", version: "1.0", summary: "Counts.").run(.counter)
///         }
///     }
public struct BusDaemon {
    private let name: DaemonName
    private let version: String
    private let summary: String

    /// `name` determines the default paths of the sockets and of the state.
    public init(name: DaemonName, version: String, summary: String) {
        self.name = name
        self.version = version
        self.summary = summary
    }

    /// Reads the command line, and serves the view models of the applications and those that
    /// `install` registers, or runs a verb. Exits with 0 after a signal, with 64 for a wrong
    /// command line, and with 1 if it cannot start; the daemon's `--manual` lists all.
    ///
    /// `install` is called once for each host, as that of an `Application`.
    public func run(
        _ applications: Application..., install: (Host) throws -> Void = { _ in }
    ) -> Never {
        unblockSignals()
        fillStandardDescriptors()
        ignoreSignalsOfFailedWrites()
        ProcessLimits.forbidCoreDumps()
        if let problem = name.problem { fail("\(name.text.printable): \(problem)", .failed) }
        do {
            try run(installing: { host in
                for application in applications { try application.install(on: host) }
                try install(host)
            })
            finish()
        } catch let error as UsageError {
            fail(error.description, .usage)
        } catch let error as StartError {
            fail("\(name): \(error)", error.status)
        } catch {
            fail("\(name): \(error)", .failed)
        }
    }

    private func run(installing install: (Host) throws -> Void) throws {
        let sample = Result { try Host.sample(install) }
        let options = DaemonOptions(of: name)
        let hasUsers = (try? sample.get().hasUsers) ?? false
        let program = Program(
            name.text, version: version, summary, section: 8, options: options.all,
            verbs: Maintenance.verbs(hasUsers: hasUsers), isVerbRequired: false,
            statuses: Maintenance.statuses,
            environment: Maintenance.environment(of: name) + options.environment,
            examples: Maintenance.examples(of: name, hasUsers: hasUsers))
        switch try program.parseCommandLine() {
        case .show(let text): print(text, terminator: "")
        case .run(let arguments):
            try arguments.requireText(
                ofVariables: name.socketVariable, "XDG_RUNTIME_DIR", "STATE_DIRECTORY",
                "XDG_STATE_HOME", "HOME")
            try Self.checkUse(of: options, arguments)
            var settings = try Settings(arguments, of: name)
            let sample = try sample.get()
            defer { sample.close() }
            settings.kinds = sample.libraries.kinds
            if let verb = arguments.verb {
                try run(verb, arguments, settings, options, events: { sample.sendableEvents })
            } else {
                try serve(settings, install)
            }
        }
    }

    private func run(
        _ verb: String, _ arguments: Arguments, _ settings: Settings, _ options: DaemonOptions,
        events: () -> [SendableEvent]
    ) throws {
        switch verb {
        case "check": try Maintenance(ofStoppedDaemon: settings).check()
        case "backup":
            try Maintenance(ofRunningDaemonOr: settings).backUp(to: arguments.operands[0])
        case "restore":
            try Maintenance(ofRunningDaemonOr: settings).restore(from: arguments.operands[0])
        case "user":
            let command = try UserCommand(arguments)
            try Maintenance(ofRunningDaemonOr: settings).run(command)
        case "house":
            let command = try HouseCommand(arguments, options, settings.storeDaemon)
            try command.run { try Maintenance(ofStoppedDaemon: settings) }
        default: try PolicyCommand(arguments, options).run(settings, events: events)
        }
    }

    /// A verb refuses options that it does not use.
    private static func checkUse(
        of options: DaemonOptions, _ arguments: Arguments
    ) throws(UsageError) {
        guard let verb = arguments.verb else { return }
        let used =
            switch verb {
            case "check": [options.state]
            case "house": [options.state, options.log, options.logCredentials]
            case "policy": [options.policy, options.socket]
            default: [options.state, options.socket]
            }
        if let other = options.all.first(where: { arguments.has($0) && !used.contains($0) }) {
            throw arguments.error("\(verb) does not use --\(other.name)")
        }
    }

    /// Exits with 0 if all output is written, or if its reader has gone.
    private func finish() -> Never {
        let code = busd_flush_output()
        if code == 0 || code == EPIPE { exit(0) }
        fail("\(name): standard output: \(String(cString: strerror(code)))", .outputFailed)
    }

    private func fail(_ text: String, _ status: ExitStatus) -> Never {
        Maintenance.warn(text)
        exit(status.rawValue)
    }

    /// Executes the same program with the same arguments. If systemd has opened the sockets, exits
    /// with an error instead, so that systemd starts the daemon again. Returns if `execv` fails.
    private func startAgain() {
        guard getenv("LISTEN_FDS") == nil else { fail("\(name): start it again", .tryAgain) }
        _ = CommandLine.unsafeArgv.withMemoryRebound(
            to: UnsafeMutablePointer<CChar>?.self, capacity: CommandLine.arguments.count + 1
        ) { execv("/proc/self/exe", $0) }
    }

    func serve(_ settings: Settings, _ install: (Host) throws -> Void) throws {
        let (systemd, loop, ending) = (
            try Systemd.takeFromEnvironment(), try Loop(), EndingSignals()
        )
        var settings = settings
        do {
            repeat {
                settings.replay = try serve(settings, systemd, loop, ending, install)
            } while settings.replay != nil
        } catch let error as StartError where error.status == .usage && !systemd.passed.isEmpty {
            Maintenance.warn("\(name): \(error)")
            TurnedAway(systemd.passed, name).answer()
            exit(error.status.rawValue)
        }
    }

    /// - Returns: the replay that must be served next.
    private func serve(
        _ settings: Settings, _ systemd: Systemd, _ loop: Loop, _ ending: EndingSignals,
        _ install: (Host) throws -> Void
    ) throws -> ReplaySettings? {
        // With few descriptors the limits shrink, so that a part stays reserved.
        var limits = settings.limits
        limits.connections = ProcessLimits.allowDescriptors(forConnections: limits.connections)
        let log = DaemonLog(name: name.text, threshold: settings.logLevel)
        guard settings.replay == nil || systemd.passed.isEmpty else {
            throw StartError("--replay takes no sockets from systemd: name one with --socket")
        }
        let listeners = try Listeners(settings, systemd.passed)
        let metrics = ProcessMetrics()
        let state = try DurableState(settings, version: version, loop: loop, log: log)
        let host = Host(openLibraries: state.openLibraries, openPasswords: state.openPasswords)
        host.registerBus(
            metrics: metrics, isClockManual: settings.isClockManual && settings.replay == nil)
        try install(host)
        let policy = try settings.policy.map { file in
            try systemd.whileBusy { try host.open(file, state, log) }
        }
        try state.open(host)
        if let problem = host.problems.first { throw StartError(problem) }
        var bus = Bus(
            host: host, limits: limits,
            owner: Int(clamping: geteuid()), server: "\(name) \(version)",
            durability: state.durability.rawValue,
            house: state.house?.name, state: state.path,
            onlyTarget: settings.replay == nil ? nil : BusClock.address, policy: policy,
            epoch: UInt32.random(in: 1...UInt32.max))
        bus.stopwatch = { loop.now() }
        bus.timeOfDay = { host.wallClock.now }
        if let house = state.house {
            bus.reasonForUnknown = { house.reasonForUnknown(about: $0, host) }
        }
        if let address = settings.replay?.history, let replay = state.replay {
            try History(of: address, replay, bus).print()
            return nil
        }
        let server = Server(
            loop: loop, host: host, bus: bus, state: state, metrics: metrics,
            isClockManual: settings.isClockManual, log: log)
        try ending.watch(loop) {
            listeners.close()
            server.stop()
        }
        try listeners.open(on: loop, arrived: server.arrived)
        if let socket = listeners.addresses.first { state.serve(at: socket) }
        let memoryTrimmer = MemoryTrimmer(host.clock, metrics) { host.libraries.packSome() }
        let supervision = Supervision(systemd, loop: loop, log: log)
        let serving = "serving \(listeners.addresses.joined(separator: " and "))"
        supervision.ready(serving)
        log.info(serving)
        withExtendedLifetime((memoryTrimmer, supervision)) { server.run() }
        listeners.close()
        let hasSignal = ending.take()
        let next = hasSignal ? nil : state.replay?.restart
        if next == nil { supervision.stopping() }
        state.end(host)
        if let next {
            host.close()
            return next
        }
        if server.isRestarting, !hasSignal { startAgain() }
        log.info("done")
        return nil
    }
}

extension Host {
    /// A host without a store, which tells what a daemon has.
    fileprivate static func sample(_ install: (Host) throws -> Void) throws -> Host {
        let host = Host(openLibraries: { Libraries(clock: $0) }, openPasswords: Self.openNoUsers)
        try install(host)
        return host
    }

    /// Users are things, too.
    private static func openNoUsers(_ host: Host) -> any PasswordService {
        _ = Library<User>(host.libraries)
        return NoUsers(clock: host.clock)
    }

    /// Reads the policy of a daemon that starts, and registers `bus/policy`. All other kinds are
    /// registered.
    fileprivate func open(
        _ file: PolicyFile, _ state: DurableState, _ log: DaemonLog
    ) throws -> Policy {
        let events = { [weak self] in self?.sendableEvents ?? [] }
        let content: PolicyFile.Content
        do {
            content = try file.read(events: events)
        } catch {
            throw StartError("\(error)", error.isTemporary ? .failed : .usage)
        }
        register(
            BusPolicyViewModel.self,
            services: BusPolicyViewModel.Services(
                file: file, content: content, loader: state.openPolicyLoader(file), events: events,
                enforce: { [weak self] in self?.enforce($0, $1) }, log: log))
        return content.policy
    }

    fileprivate struct BusServices: HasProcessMetrics, HasClock {
        let metrics: ProcessMetrics
        let clock: any Clock

        var memory: Int { metrics.memory }
        var loopLagMilliseconds: Double { metrics.loopLagMilliseconds }
    }

    /// The daemon's own view models.
    fileprivate func registerBus(metrics: ProcessMetrics, isClockManual: Bool) {
        register(BusViewsViewModel.self)
        register(BusConnectionsViewModel.self)
        register(BusTapViewModel.self)
        register(BusStatisticsViewModel.self, services: BusServices(metrics: metrics, clock: clock))
        if isClockManual { register(BusClockViewModel.self, services: outbox) }
    }
}
