import Glibc
import Measures

// bench-storage BUSD FOLDER: durable sends next to a bare SQLite writer on the disk of FOLDER, and a start
// with many games.

guard CommandLine.arguments.count == 3 else { stop("usage: bench-storage BUSD FOLDER") }
let (busd, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
func newFolder(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    if mkdir(path, 0o700) != 0 { stop("\(path) is there already, or can't be made") }
    return path
}

/// Moves per commit: in a run of its own, in which strace counts the syncs.
func groupSize() -> Double {
    let place = newFolder("counted")
    let log = "\(place)/trace"
    let strace = ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-e", "trace=fdatasync", "-o", log]
    let daemon = Daemon(busd, in: place, under: strace)
    var writers = Writers(daemon, games: 3)
    let before = lines(log)
    var moves = Latencies()
    writers.run(seconds: 1, &moves)
    let syncs = lines(log) - before
    daemon.end()
    return Double(moves.count) / Double(max(1, syncs))
}

func lines(_ path: String) -> Int {
    guard let file = fopen(path, "r") else { return 0 }
    defer { fclose(file) }
    var (count, byte) = (0, fgetc(file))
    while byte != EOF {
        if byte == 10 { count += 1 }
        byte = fgetc(file)
    }
    return count
}

let group = groupSize()
let rows = max(1, Int(group.rounded()))
let bareWriter = BareWriter(in: newFolder("bare"), rowsPerCommit: rows)
let daemon = Daemon(busd, in: newFolder("busd"))
var writers = Writers(daemon, games: 3)
var (bare, moves) = (Latencies(), Latencies())
// By turns, so that both have the same disk.
for _ in 1...6 {
    bareWriter.run(seconds: 1, &bare)
    writers.run(seconds: 1, &moves)
}
daemon.end()

let commits = moves.perSecond / group
print("16 writers, one send outstanding each; \(text(group, 1)) sends per commit")
print(
    "busd  \(text(commits, 0)) commits/s, \(text(moves.perSecond, 0)) sends/s,",
    "p50 \(milliseconds(moves.percentile(50))), p99 \(milliseconds(moves.percentile(99)))")
print(
    "bare  \(text(bare.perSecond, 0)) commits/s of \(rows) rows,",
    "p50 \(milliseconds(bare.percentile(50))), p99 \(milliseconds(bare.percentile(99)))")
print("commits: \(text(commits / bare.perSecond)) of the bare writer's (goal: at least 0.50)")
print(
    "p99: \(text(moves.percentile(99) / bare.percentile(99))) times the bare one's (goal: at most 3)"
)

let games = 10_000
let many = newFolder("many")
let empty = Daemon(busd, in: many)
empty.end()
let restarted = Daemon(busd, in: many)
let emptyMemory = restarted.memory
_ = Writers(restarted, games: games)
restarted.end()
var (starts, memory) = (Latencies(), 0)
for _ in 1...9 {
    let daemon = Daemon(busd, in: many)
    starts.note(daemon.startTook)
    memory = daemon.memory
    daemon.end()
}
let perGame = Double(memory - emptyMemory) * 1024 / Double(games)
print(
    "start with \(games) games: p50 of 9 \(milliseconds(starts.percentile(50))),",
    "least \(milliseconds(starts.percentile(0))) (goal: at most 500 ms)")
print(
    "memory: \(emptyMemory) kB empty, \(memory) kB with \(games) games:",
    "\(text(perGame, 0)) bytes a game (goal: at most 2048)")
