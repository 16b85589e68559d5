// swift-tools-version: 6.2
import PackageDescription

// The package of the tutorial in VIEWMODELS.md. Outside this tree the dependency is a URL.

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "busd") }

let package = Package(
    name: "Timer",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        // The events, for both sides of the socket.
        .target(name: "Timer", dependencies: [product("Protocol")]),
        // The state and the rules.
        .target(name: "TimerViewModels", dependencies: ["Timer", product("Protocol")]),
        .executableTarget(
            name: "timerd",
            dependencies: ["TimerViewModels", product("Daemon"), product("Protocol")]),
        // The screen.
        .executableTarget(
            name: "countdown",
            dependencies: [
                "Timer", product("Protocol"), product("BusClient"), product("Terminal"),
            ]),
        .testTarget(
            name: "TimerTests",
            dependencies: ["Timer", "TimerViewModels", product("Protocol"), product("TestKit")]),
    ]
)
