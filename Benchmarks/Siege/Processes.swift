import Glibc
import Measures

/// Starts a program. `streams` become its descriptors 0 to 2.
func spawn(_ words: [String], _ streams: [Int32]) -> pid_t {
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for (number, stream) in streams.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let code = posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    for argument in arguments { free(argument) }
    if code != 0 { stop("\(words[0]): \(String(cString: strerror(code)))") }
    return process
}

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
