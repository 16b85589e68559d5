import Fuzzing
import Glibc

// Built by `make fuzz`, which links libFuzzer's main function. BUSD_FUZZ names the target.

/// The target that the environment names, or the reader.
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
