// swift-tools-version: 6.2
import PackageDescription

// The package of the tutorial in docs/durable-kinds.md.
// Elsewhere, `path` is the folder of your clone of busd, such as "/home/ann/busd".

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "busd") }

let package = Package(
    name: "Shopping",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        // The events, for both sides of the socket.
        .target(name: "Shopping", dependencies: [product("BusdProtocol")]),
        // The state and the rules.
        .target(name: "ShoppingViewModels", dependencies: ["Shopping", product("BusdProtocol")]),
        .executableTarget(
            name: "shoppingd",
            dependencies: ["ShoppingViewModels", product("BusdDaemon")]),
        // The client.
        .executableTarget(
            name: "shop",
            dependencies: [
                "Shopping", product("BusdProtocol"), product("BusdClient"), product("BusdTerminal"),
            ]),
        .testTarget(
            name: "ShoppingTests",
            dependencies: [
                "Shopping", "ShoppingViewModels", product("BusdProtocol"), product("BusdTestKit"),
            ]),
    ]
)
