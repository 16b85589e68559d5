// The entry point of the tests. Without this file SwiftPM generates one, and reads the compiler's
// index to find tests of XCTest. There are none, so the build makes no index.
import Testing

@main
struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
