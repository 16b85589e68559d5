import Glibc
import Measures

/// In /tmp, because the path of a socket has at most 107 bytes.
private let root = temporary("/tmp/bench-bus-XXXXXX")

private func temporary(_ pattern: String) -> String {
    guard let name = strdup(pattern), mkdtemp(name) != nil else {
        stop("cannot create a folder \(pattern)")
    }
    defer { free(name) }
    return String(cString: name)
}

func newFolder() -> String { temporary("\(root)/XXXXXX") }

func removeFolders() { run(["rm", "-rf", root]) }

/// Runs a program to its end. `cpu` is its processor time in seconds.
@discardableResult
func run(_ words: [String]) -> (isDone: Bool, cpu: Double) {
    var (status, usage) = (Int32(0), rusage())
    wait4(spawn(words), &status, 0, &usage)
    let time = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    return (status == 0, time[0] + time[1])
}

func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var (bytes, byte) = ([UInt8](), fgetc(file))
    while byte != EOF {
        bytes.append(UInt8(truncatingIfNeeded: byte))
        byte = fgetc(file)
    }
    return String(decoding: bytes, as: UTF8.self)
}

func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { stop("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
}
