import Fuzzing
import Glibc

// Built by `make fuzz`, which brings libFuzzer's own main function; BUSD_FUZZ says what is fuzzed.

/// What the environment names; the reader where it names nothing.
private let target =
    getenv("BUSD_FUZZ").flatMap { FuzzTarget(rawValue: String(cString: $0)) } ?? .reader

#if FUZZER
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
#else
    @main enum Fuzz {
        static func main() { print("make fuzz builds the fuzzer of the \(target)") }
    }
#endif
