import Glibc

/// The number in an environment variable that sets how long a test with random steps runs, or
/// which run it repeats; `nil`: there is none.
package func testSetting<Number: FixedWidthInteger>(_ variable: String) -> Number? {
    getenv(variable).flatMap { Number(String(cString: $0)) }
}
