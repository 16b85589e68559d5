// swift-tools-version: 6.2
import PackageDescription

// A room may import the targets that it depends on here, and nothing else. `make check` builds with
// `--explicit-target-dependency-import-check error`, so any other import is an error.

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], at path: String,
    except excluded: [String] = [], assets: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: excluded,
        resources: assets.map { .embedInCode("Assets/\($0)") }, swiftSettings: house)
}

/// View models, and the rules and things behind them.
func application(
    _ name: String, _ dependencies: [Target.Dependency] = [], at folder: String,
    except excluded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies + ["BusdProtocol", "BusdHosting"],
        path: "Sources/ViewModels/\(folder)", exclude: excluded, packageAccess: false,
        swiftSettings: house)
}

/// The events of an application: all that its clients import.
func events(_ name: String, at folder: String) -> Target {
    .target(
        name: name, dependencies: ["BusdProtocol"], path: "Sources/ViewModels/\(folder)/Events",
        packageAccess: false, swiftSettings: house)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], at path: String,
    except excluded: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: excluded,
        swiftSettings: house)
}

func screenProgram(
    _ name: String, _ more: [Target.Dependency] = [], except excluded: [String] = []
) -> Target {
    program(
        name,
        [
            "BusdProtocol", "BusdEventLoop", "BusdClient", "BusdTerminal", "BusdOptions",
            "BusdScreens",
        ] + more,
        at: "clients/\(name)", except: excluded)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
        swiftSettings: house)
}

/// The view models of an application, without the bus around them.
func applicationTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    tests(
        name,
        dependencies + [
            "BusdProtocol", "BusdHosting", "BusdTestKit", "BusdApplicationTestSupport",
        ])
}

/// The pages and views of a program with a screen.
func screenTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    tests(
        name,
        dependencies + [
            "BusdProtocol", "BusdClient", "BusdTerminal", "BusdOptions", "BusdScreens",
            "BusdClientTestSupport", "BusdScreensTestSupport",
        ])
}

/// What several suites share.
func support(_ name: String, _ dependencies: [Target.Dependency], at folder: String) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tests/\(folder)", swiftSettings: house)
}

/// A C library, and the Debian package that has it.
func library(_ name: String, _ debian: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: "CBusd\(name)", path: "Sources/C\(name)", pkgConfig: pkgConfig,
        providers: [.apt([debian])])
}

let package = Package(
    name: "busd",
    products: [
        .library(name: "BusdProtocol", targets: ["BusdProtocol"]),
        .library(
            name: "BusdViewModels",
            targets: ["BusdGames", "BusdBooks", "BusdLogin", "BusdEcho"]),
        .library(name: "BusdGamesEvents", targets: ["BusdGamesEvents"]),
        .library(name: "BusdBooksEvents", targets: ["BusdBooksEvents"]),
        .library(name: "BusdLoginEvents", targets: ["BusdLoginEvents"]),
        .library(name: "BusdDaemon", targets: ["BusdDaemon", "BusdHosting"]),
        .library(name: "BusdClient", targets: ["BusdClient"]),
        .library(name: "BusdTerminal", targets: ["BusdTerminal"]),
        .library(name: "BusdTestKit", targets: ["BusdTestKit"]),
        .executable(name: "busd", targets: ["busd"]),
        .executable(name: "viewctl", targets: ["viewctl"]),
        .executable(name: "scoreboard", targets: ["scoreboard"]),
        .executable(name: "books", targets: ["books"]),
        .executable(name: "busd-login", targets: ["login"]),
        .executable(name: "busd-web", targets: ["web"]),
    ],
    targets: [
        // C libraries, through a module map and a shim.
        library("Libevent", "libevent-dev", pkgConfig: "libevent_core"),
        library("Ncurses", "libncurses-dev"),
        library("SQLite", "libsqlite3-dev", pkgConfig: "sqlite3"),
        library("Sodium", "libsodium-dev", pkgConfig: "libsodium"),
        library("Hiredis", "libhiredis-dev"),
        library("Microhttpd", "libmicrohttpd-dev", pkgConfig: "libmicrohttpd"),
        library("Qrencode", "libqrencode-dev", pkgConfig: "libqrencode"),
        .target(name: "CBusdSystem", path: "Sources/CSystem"),

        // For both sides of the socket.
        room("BusdProtocol", at: "Protocol"),
        room("BusdEventLoop", ["CBusdLibevent", "CBusdSystem"], at: "EventLoop"),
        room("BusdFiles", ["BusdProtocol", "BusdEventLoop"], at: "Files"),
        room("BusdOptions", ["BusdProtocol", "CBusdSystem"], at: "Options"),

        // The store of things.
        room(
            "BusdStorage", ["BusdProtocol", "BusdEventLoop", "BusdFiles", "CBusdSQLite"],
            at: "Storage"),

        // The daemon.
        room("BusdBroker", ["BusdProtocol"], at: "busd/Broker"),
        room("BusdHosting", ["BusdProtocol", "BusdBroker"], at: "busd/Hosting"),
        room(
            "BusdAccounts", ["BusdProtocol", "BusdEventLoop", "BusdHosting", "CBusdSodium"],
            at: "busd/Accounts"),
        room(
            "BusdRedisLog", ["BusdProtocol", "BusdEventLoop", "BusdFiles", "CBusdHiredis"],
            at: "busd/RedisLog"),
        room(
            "BusdDaemon",
            [
                "BusdProtocol", "BusdEventLoop", "BusdFiles", "BusdOptions", "BusdStorage",
                "BusdBroker", "BusdHosting", "BusdAccounts", "BusdRedisLog", "CBusdSystem",
            ],
            at: "busd/Daemon"),
        program(
            "busd",
            ["BusdProtocol", "BusdDaemon", "BusdGames", "BusdBooks", "BusdLogin", "BusdEcho"],
            at: "busd/main"),

        // The applications. They see what anybody's can see: no `package` of another target.
        application("BusdEcho", at: "Echo"),
        events("BusdGamesEvents", at: "Games"),
        application("BusdGames", ["BusdGamesEvents"], at: "Games", except: ["Events"]),
        events("BusdBooksEvents", at: "Books"),
        .target(
            name: "BusdDeck", dependencies: ["BusdProtocol", "BusdBooksEvents"],
            path: "Sources/ViewModels/Books/Deck", packageAccess: false, swiftSettings: house),
        application(
            "BusdBooks", ["BusdBooksEvents", "BusdDeck"], at: "Books", except: ["Events", "Deck"]),
        events("BusdLoginEvents", at: "Login"),
        application("BusdLogin", ["BusdLoginEvents"], at: "Login", except: ["Events"]),

        // The clients.
        room(
            "BusdClient", ["BusdProtocol", "BusdEventLoop", "CBusdSystem"], at: "clients/BusClient"),
        room(
            "BusdTerminal", ["BusdProtocol", "CBusdNcurses", "CBusdSystem"], at: "clients/Terminal"),
        room(
            "BusdScreens",
            ["BusdProtocol", "BusdEventLoop", "BusdClient", "BusdTerminal", "BusdOptions"],
            at: "clients/Screens"),
        screenProgram("viewctl", ["BusdFiles"]),
        screenProgram("scoreboard", ["BusdGamesEvents"], except: ["Web"]),
        screenProgram("books", ["BusdBooksEvents", "BusdDeck", "BusdFiles"]),
        screenProgram("login", ["BusdLoginEvents"]),

        // The view in a browser.
        room(
            "BusdHTTP", ["BusdProtocol", "BusdEventLoop", "CBusdMicrohttpd"], at: "clients/HTTP"),
        room(
            "BusdSite",
            [
                "BusdProtocol", "BusdEventLoop", "BusdFiles", "BusdClient", "BusdOptions",
                "BusdHTTP", "CBusdQrencode", "CBusdSodium", "CBusdSystem",
            ],
            at: "clients/web", except: ["main"],
            assets: ["page.css", "page.js", "taps.js", "lists.js"]),
        room(
            "BusdGamesSite",
            ["BusdProtocol", "BusdGamesEvents", "BusdClient", "BusdHTTP", "BusdSite"],
            at: "clients/scoreboard/Web", assets: ["overlay.css", "score.css", "score.js"]),
        program("web", ["BusdSite", "BusdGamesSite"], at: "clients/web/main"),

        // Tests: one folder per room.
        room("BusdTestKit", ["BusdProtocol", "BusdBroker", "BusdHosting"], at: "TestKit"),
        support("TestSupport", ["BusdEventLoop"], at: "TestSupport"),
        .target(name: "CBusdTestSupport", path: "Tests/CTestSupport"),
        support(
            "BusdClientTestSupport",
            ["BusdClient", "BusdEventLoop", "BusdProtocol", "TestSupport"],
            at: "ClientTestSupport"),
        support(
            "BusdScreensTestSupport", ["BusdScreens", "BusdTerminal", "TestSupport"],
            at: "ScreensTestSupport"),
        support(
            "BusdSiteTestSupport", ["BusdProtocol", "BusdSite", "TestSupport"],
            at: "SiteTestSupport"),
        support(
            "BusdApplicationTestSupport", ["BusdProtocol", "BusdTestKit"],
            at: "ApplicationTestSupport"),
        .target(
            name: "Fuzzing",
            dependencies: [
                "BusdProtocol", "BusdBroker", "BusdHosting", "BusdGames", "BusdGamesEvents",
                "BusdBooks", "BusdBooksEvents", "BusdLogin", "BusdLoginEvents", "BusdEcho",
            ],
            path: "Tests/Fuzzing", exclude: ["Corpus"], swiftSettings: house),
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/fuzz", swiftSettings: house),
        tests("FuzzingTests", ["Fuzzing"]),
        tests(
            "ProtocolTests",
            [
                "BusdProtocol", "BusdGamesEvents", "BusdBooksEvents", "BusdLoginEvents", "BusdEcho",
                "BusdTestKit", "BusdApplicationTestSupport",
            ]),
        tests("EventLoopTests", ["BusdEventLoop", "CBusdSystem", "CBusdTestSupport"]),
        tests("FilesTests", ["BusdFiles", "BusdEventLoop"]),
        tests("OptionsTests", ["BusdOptions"]),
        applicationTests("EchoTests", ["BusdEcho"]),
        applicationTests("LoginTests", ["BusdLogin", "BusdLoginEvents"]),
        applicationTests("GamesTests", ["BusdGames", "BusdGamesEvents", "BusdEcho"]),
        applicationTests("BooksTests", ["BusdBooks", "BusdBooksEvents"]),
        tests(
            "BrokerTests",
            [
                "BusdBroker", "BusdHosting", "BusdProtocol", "BusdGames", "BusdGamesEvents",
                "BusdEcho", "BusdTestKit",
            ]),
        tests("HostingTests", ["BusdBroker", "BusdHosting", "BusdProtocol", "BusdTestKit"]),
        tests(
            "DaemonTests",
            [
                "BusdDaemon", "BusdProtocol", "BusdEventLoop", "BusdHosting", "BusdBroker",
                "BusdAccounts", "BusdGames", "BusdGamesEvents", "BusdBooks", "BusdLogin",
                "BusdEcho", "BusdOptions", "BusdStorage", "BusdTestKit",
            ]),
        tests(
            "StorageTests",
            [
                "BusdStorage", "BusdAccounts", "BusdGames", "BusdGamesEvents", "BusdBooks",
                "BusdProtocol", "BusdEventLoop", "CBusdSQLite",
            ]),
        tests(
            "RedisLogTests",
            [
                "BusdRedisLog", "BusdProtocol", "BusdEventLoop", "CBusdHiredis", "BusdTestKit",
                "BusdHosting", "BusdAccounts", "BusdGames", "BusdBooks", "BusdBooksEvents",
            ]),
        tests(
            "AccountsTests",
            [
                "BusdAccounts", "BusdHosting", "BusdProtocol", "BusdEventLoop", "BusdTestKit",
                "BusdApplicationTestSupport",
            ]),
        screenTests("ScreensTests", []),
        screenTests("GamesClientTests", ["scoreboard", "BusdGamesEvents"]),
        screenTests("BooksClientTests", ["books", "BusdBooksEvents", "BusdDeck"]),
        screenTests("LoginClientTests", ["login", "BusdLoginEvents"]),
        tests("DeckTests", ["BusdDeck", "BusdBooksEvents", "books", "BusdProtocol"]),
        tests(
            "ViewctlTests",
            [
                "viewctl", "BusdProtocol", "BusdClient", "BusdEventLoop",
                "BusdOptions", "BusdScreens", "BusdTerminal", "BusdClientTestSupport",
            ]),
        tests("HTTPTests", ["BusdHTTP", "BusdEventLoop"]),
        tests(
            "SiteTests",
            [
                "BusdSite", "BusdHTTP", "BusdProtocol", "BusdClient", "BusdEventLoop",
                "BusdOptions", "BusdClientTestSupport", "BusdSiteTestSupport",
            ]),
        tests(
            "GamesSiteTests",
            [
                "BusdGamesSite", "BusdGamesEvents", "BusdSite", "BusdProtocol",
                "BusdSiteTestSupport",
            ]),
        tests(
            "BusClientTests",
            [
                "BusdClient", "BusdProtocol", "BusdEcho", "BusdEventLoop",
                "BusdClientTestSupport",
            ]),
        tests("TerminalTests", ["BusdTerminal"]),
        tests(
            "SystemTests",
            [
                "BusdProtocol", "BusdGamesEvents", "BusdLoginEvents", "BusdEcho", "BusdClient",
                "BusdEventLoop",
            ]),
        tests("TortureTests", ["BusdProtocol", "BusdGamesEvents", "BusdClient", "BusdEventLoop"]),
    ]
)

// For `make build`: `BUSD_PROGRAMS=busd,web` leaves out other programs, tests and their support.
if let programs = Context.environment["BUSD_PROGRAMS"] {
    let kept = programs.split(separator: ",").map(String.init)
    let support = [
        "BusdTestKit", "TestSupport", "CBusdTestSupport", "BusdClientTestSupport",
        "BusdScreensTestSupport", "BusdSiteTestSupport", "BusdApplicationTestSupport", "Fuzzing",
    ]
    let omitted = package.targets.filter {
        switch $0.type {
        case .executable: !kept.contains($0.name)
        case .test: true
        default: support.contains($0.name)
        }
    }.map(\.name)
    package.targets.removeAll { omitted.contains($0.name) }
    package.products.removeAll { product in
        support.contains(product.name)
            || (product as? Product.Executable)?.targets.contains(where: omitted.contains) == true
    }
}

// For one suite: `BUSD_TESTS=Broker,Storage` leaves out all other tests.
if let rooms = Context.environment["BUSD_TESTS"] {
    let kept = rooms.split(separator: ",").map { "\($0)Tests" }
    package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}
