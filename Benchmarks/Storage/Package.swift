// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds busd builds it.
let package = Package(
    name: "bench-storage",
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "bench-storage", dependencies: ["CSQLite"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
