// The entry point of the tests. Without this file SwiftPM generates one, and reads the compiler's
// index to find tests of XCTest. There are none, and an index costs a quarter of the build.
import Testing

@main
struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
