// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a durable view model, a daemon that hosts it, a client, tests.
// Elsewhere, `path` is the folder of your clone of busd, such as "/home/ann/busd".

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "busd") }

let package = Package(
    name: "Counter",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        // The events, for both sides of the socket.
        .target(name: "Counter", dependencies: [product("BusdProtocol")]),
        // The state and the rules.
        .target(name: "CounterViewModels", dependencies: ["Counter", product("BusdProtocol")]),
        .executableTarget(
            name: "counterd",
            dependencies: ["CounterViewModels", product("BusdDaemon")]),
        // The client.
        .executableTarget(
            name: "count",
            dependencies: ["Counter", product("BusdProtocol"), product("BusdClient")]),
        .testTarget(
            name: "CounterTests",
            dependencies: [
                "Counter", "CounterViewModels", product("BusdProtocol"), product("BusdTestKit"),
            ]),
    ]
)
