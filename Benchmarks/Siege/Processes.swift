import Glibc
import Measures

func wholeFile(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

func newFolder() -> String {
    var template = Array("/tmp/siege-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { stop("cannot create a folder in /tmp") }
    return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
}

/// Thousands of connections need as many descriptors, in this process and in the daemon.
func raiseLimitOfDescriptors() {
    var limit = rlimit()
    let number = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    getrlimit(number, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(number, &limit)
    if limit.rlim_cur < 4_200 { stop("too few descriptors: raise ulimit -Hn to 4200") }
}
