// swift-tools-version: 6.2
import PackageDescription

// The package of docs/lists.md.
// Elsewhere, `path` is the folder of your clone of busd, such as "/home/ann/busd".

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "busd") }

let package = Package(
    name: "Kitchen",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        // The events, for both sides of the socket.
        .target(name: "Kitchen", dependencies: [product("BusdProtocol")]),
        // The orders, and the view models that show and change them.
        .target(
            name: "KitchenViewModels",
            dependencies: ["Kitchen", product("BusdProtocol"), product("BusdDaemon")]),
        .executableTarget(
            name: "kitchend",
            dependencies: ["KitchenViewModels", product("BusdDaemon")]),
        // The client.
        .executableTarget(
            name: "board",
            dependencies: [
                "Kitchen", product("BusdProtocol"), product("BusdClient"), product("BusdTerminal"),
            ]),
        .testTarget(
            name: "KitchenTests",
            dependencies: [
                "Kitchen", "KitchenViewModels", product("BusdProtocol"), product("BusdTestKit"),
            ]),
    ]
)
