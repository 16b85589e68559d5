// swift-tools-version: 6.2
import PackageDescription

// A separate package, so a build of busd does not include it:
//
//     swift run -c release --package-path Benchmarks/Books
let package = Package(
    name: "bench-books",
    dependencies: [.package(name: "busd", path: "../..")],
    targets: [
        .executableTarget(
            name: "bench-books",
            dependencies: [
                .product(name: "BusdProtocol", package: "busd"),
                .product(name: "BusdViewModels", package: "busd"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
