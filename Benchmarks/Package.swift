// swift-tools-version: 6.2
import PackageDescription

// A separate package, so a build of busd does not include it.

func program(_ name: String, _ dependencies: [Target.Dependency], at path: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Measures"] + dependencies, path: path,
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
}

let package = Package(
    name: "Benchmarks",
    products: [.library(name: "SyncCount", type: .dynamic, targets: ["SyncCount"])],
    targets: [
        .target(
            name: "Measures", path: "Measures",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        // Fan-out, next to Redis, mosquitto and plain C.
        .target(name: "Load", path: "Load"),
        .executableTarget(name: "floor", path: "Floors"),
        program("bench-bus", ["Load"], at: "Bus"),

        // Durable sends, next to a bare SQLite writer.
        .systemLibrary(
            name: "CSQLite", path: "Storage/Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SyncCount", path: "Storage/Sources/SyncCount"),
        .systemLibrary(name: "CEpoll", path: "Epoll"),
        .target(
            name: "Writers", dependencies: ["Measures", "CEpoll"], path: "Writers",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        program("bench-storage", ["CSQLite", "Writers"], at: "Storage/Sources/bench-storage"),

        // A house of three daemons, next to one daemon and to the bare functions of Redis.
        program("bench-house", ["Writers", "CEpoll"], at: "House"),

        // The effect of many, slow, greedy and hostile clients on other clients.
        program("siege", [], at: "Siege"),
    ]
)
