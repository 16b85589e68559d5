// swift-tools-version: 6.2
import PackageDescription

// The package of the tutorial in docs/tutorial.md.
// Elsewhere, `path` is the folder of your clone of busd, such as "/home/ann/busd".

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "busd") }

let package = Package(
    name: "Timer",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        // The events, for both sides of the socket.
        .target(name: "Timer", dependencies: [product("BusdProtocol")]),
        // The state and the rules.
        .target(name: "TimerViewModels", dependencies: ["Timer", product("BusdProtocol")]),
        .executableTarget(
            name: "timerd",
            dependencies: ["TimerViewModels", product("BusdDaemon")]),
        // The screen.
        .executableTarget(
            name: "countdown",
            dependencies: [
                "Timer", product("BusdProtocol"), product("BusdClient"), product("BusdTerminal"),
            ]),
        .testTarget(
            name: "TimerTests",
            dependencies: [
                "Timer", "TimerViewModels", product("BusdProtocol"), product("BusdTestKit"),
            ]),
    ]
)
