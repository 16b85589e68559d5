// swift-tools-version: 6.2
import PackageDescription

// The import law: what a room may import is what its target depends on here, and nothing else.
// `make check` builds with --explicit-target-dependency-import-check error, so a missing line is a wall.

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], at path: String,
    excluding excluded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: excluded,
        swiftSettings: house)
}

func program(_ name: String, _ dependencies: [Target.Dependency], at path: String) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(path)", swiftSettings: house)
}

func screenProgram(_ name: String) -> Target {
    program(
        name, ["Protocol", "EventLoop", "BusClient", "Terminal", "Options", "Screens"],
        at: "clients/\(name)")
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
        swiftSettings: house)
}

let package = Package(
    name: "busd",
    products: [
        .library(name: "Protocol", targets: ["Protocol"]),
        .library(name: "ViewModels", targets: ["ViewModels"]),
        .library(name: "Daemon", targets: ["Daemon", "Hosting"]),
        .library(name: "BusClient", targets: ["BusClient"]),
        .library(name: "Terminal", targets: ["Terminal"]),
        .library(name: "TestKit", targets: ["TestKit"]),
        .executable(name: "busd", targets: ["busd"]),
        .executable(name: "viewctl", targets: ["viewctl"]),
        .executable(name: "scoreboard", targets: ["scoreboard"]),
        .executable(name: "books", targets: ["books"]),
        .executable(name: "busd-login", targets: ["login"]),
    ],
    targets: [
        // C, seen through a module map and a shim.
        .systemLibrary(
            name: "CLibevent", path: "Sources/CLibevent", pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"])]),
        .systemLibrary(
            name: "CNcurses", path: "Sources/CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CSodium", path: "Sources/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]),
        .target(name: "CSystem", path: "Sources/CSystem"),

        // Both sides of the socket.
        room("Protocol", at: "Protocol"),
        room("EventLoop", ["CLibevent", "CSystem"], at: "EventLoop"),
        room("Options", ["Protocol", "CSystem"], at: "Options"),

        // What the program is.
        room("ViewModels", ["Protocol"], at: "ViewModels", excluding: ["Storage"]),
        room("Storage", ["Protocol", "ViewModels", "CSQLite"], at: "ViewModels/Storage"),

        // The daemon.
        room("Broker", ["Protocol"], at: "busd/Broker"),
        room("Hosting", ["Protocol", "Broker"], at: "busd/Hosting"),
        room("Passwords", ["Protocol", "ViewModels", "CSodium"], at: "busd/Passwords"),
        room(
            "Daemon",
            [
                "Protocol", "EventLoop", "Options", "ViewModels", "Storage", "Broker", "Hosting",
                "Passwords", "CSystem",
            ],
            at: "busd/Daemon"),
        program(
            "busd", ["Protocol", "ViewModels", "Hosting", "Daemon", "Options"], at: "busd/main"),

        // The clients.
        room("BusClient", ["Protocol", "EventLoop", "CSystem"], at: "clients/BusClient"),
        room("Terminal", ["Protocol", "CNcurses", "CSystem"], at: "clients/Terminal"),
        room(
            "Screens", ["Protocol", "EventLoop", "BusClient", "Terminal", "Options"],
            at: "clients/Screens"),
        program(
            "viewctl", ["Protocol", "EventLoop", "BusClient", "Options"],
            at: "clients/viewctl"),
        screenProgram("scoreboard"),
        screenProgram("books"),
        screenProgram("login"),

        // Tests: one folder a room.
        room("TestKit", ["Protocol", "Broker", "Hosting"], at: "TestKit"),
        .target(
            name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport",
            swiftSettings: house),
        .target(
            name: "Fuzzing", dependencies: ["Protocol", "Broker", "Hosting", "ViewModels"],
            path: "Tests/Fuzzing", exclude: ["Corpus"], swiftSettings: house),
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/fuzz", swiftSettings: house),
        tests("FuzzingTests", ["Fuzzing"]),
        tests("ProtocolTests", ["Protocol", "TestKit"]),
        tests("EventLoopTests", ["EventLoop", "CSystem"]),
        tests("OptionsTests", ["Options"]),
        tests("ViewModelsTests", ["ViewModels", "Protocol", "TestKit"]),
        tests("BrokerTests", ["Broker", "Hosting", "Protocol", "ViewModels", "TestKit"]),
        tests("HostingTests", ["Broker", "Hosting", "Protocol", "TestKit"]),
        tests(
            "DaemonTests",
            [
                "Daemon", "Protocol", "EventLoop", "Hosting", "Broker", "ViewModels", "Options",
                "Storage", "TestKit",
            ]),
        tests("StorageTests", ["Storage", "ViewModels", "Protocol", "TestKit"]),
        tests("PasswordsTests", ["Passwords", "Protocol", "ViewModels"]),
        tests("ScreensTests", ["Screens", "Protocol", "Terminal", "BusClient", "Options"]),
        tests("ScoreboardTests", ["scoreboard", "Screens", "Protocol", "Terminal", "BusClient"]),
        tests("BooksTests", ["books", "Screens", "Protocol", "Terminal", "BusClient"]),
        tests("LoginTests", ["login", "Screens", "Protocol", "Terminal", "BusClient"]),
        tests("ViewctlTests", ["viewctl", "Protocol", "BusClient", "EventLoop", "Options"]),
        tests("BusClientTests", ["BusClient", "Protocol", "EventLoop"]),
        tests("TerminalTests", ["Terminal"]),
        tests("SystemTests", ["Protocol", "BusClient", "EventLoop"]),
        tests("TortureTests", ["Protocol", "BusClient", "EventLoop"]),
    ]
)
