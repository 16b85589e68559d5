import Glibc
import Measures
import Writers

// bench-storage BUSD FOLDER: measures durable sends, next to a bare SQLite writer on the disk of
// FOLDER, and a start with many games.

guard CommandLine.arguments.count == 3 else { stop("usage: bench-storage BUSD FOLDER") }
let (busd, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
func newFolder(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    if mkdir(path, 0o700) != 0 { stop("cannot create \(path), or it exists already") }
    return path
}

let daemon = Daemon(busd, in: newFolder("busd"))
var writers = Writers(daemon.socket)
var first = Latencies()
writers.run(seconds: 1, &first)
// Moves per commit: the bare writer uses the same number of rows.
let (firstMoves, firstSyncs) = (first.count, daemon.syncs)
writers.run(seconds: 1, &first)
let group = Double(first.count - firstMoves) / Double(max(1, daemon.syncs - firstSyncs))
let rows = max(1, Int(group.rounded()))
let bareWriter = BareWriter(in: newFolder("bare"), rowsPerCommit: rows)
var (bare, moves) = (Latencies(), Latencies())
var (commitRatios, tailRatios): ([Double], [Double]) = ([], [])
let syncsBefore = daemon.syncs
// They take turns, because the speed of a disk changes every few seconds.
for _ in 1...21 {
    var (turnOfBare, turn) = (Latencies(), Latencies())
    bareWriter.run(seconds: 0.5, &turnOfBare)
    let syncs = daemon.syncs
    writers.run(seconds: 0.5, &turn)
    let commits = Double(daemon.syncs - syncs) / turn.elapsed
    commitRatios.append(commits / turnOfBare.perSecond)
    tailRatios.append(turn.percentile(99) / turnOfBare.percentile(99))
    bare.take(turnOfBare)
    moves.take(turn)
}
let syncs = daemon.syncs - syncsBefore
daemon.end()

let commits = Double(syncs) / moves.elapsed
let sendsPerCommit = Double(moves.count) / Double(max(1, syncs))
print("16 writers, one send outstanding each; \(text(sendsPerCommit, 1)) sends per commit")
print(
    "busd  \(text(commits, 0)) commits/s, \(text(moves.perSecond, 0)) sends/s,",
    "p50 \(milliseconds(moves.percentile(50))), p99 \(milliseconds(moves.percentile(99)))")
print(
    "bare  \(text(bare.perSecond, 0)) commits/s of \(rows) rows,",
    "p50 \(milliseconds(bare.percentile(50))), p99 \(milliseconds(bare.percentile(99)))")
print("Median, least and most of \(tailRatios.count) turns, relative to the bare writer:")
print("commits/s: \(spread(Sample(commitRatios))) (goal: at least 0.50)")
print("p99: \(spread(Sample(tailRatios))) (goal: at most 3)")
let early = first.percentile(99)
let times = text(early / bare.percentile(99), 2)
print("p99 of the first two seconds: \(milliseconds(early)), \(times) times the bare writer's")

let games = 10_000
let many = newFolder("many")
let empty = Daemon(busd, in: many)
empty.end()
let restarted = Daemon(busd, in: many)
let emptyMemory = restarted.memory
_ = Writers(restarted.socket, games: games)
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
    "\(text(perGame, 0)) bytes per game (goal: at most 2048)")
