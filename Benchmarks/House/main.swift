import Glibc
import Measures
import Writers

// bench-house BUSD FOLDER: measures a house of three daemons on this machine, next to one daemon
// without a house and to the bare function of Redis.

guard CommandLine.arguments.count == 3 else { stop("usage: bench-house BUSD FOLDER") }
let busd = CommandLine.arguments[1]
// Absolute, because Redis changes its working folder.
guard let path = realpath(CommandLine.arguments[2], nil) else { stop("there is no such folder") }
let folder = String(cString: path)
var limit = rlimit(rlim_cur: 40_000, rlim_max: 40_000)
setrlimit(__rlimit_resource_t(7), &limit)
/// Writes at once, even into a pipe.
func print(_ words: String...) {
    let line = Array((words.joined(separator: " ") + "\n").utf8)
    _ = write(STDOUT_FILENO, line, line.count)
}
func newFolder(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    if mkdir(path, 0o700) != 0 { stop("cannot create \(path), or it exists already") }
    return path
}

let redis = Redis(in: newFolder("redis"))
let alone = Daemon(busd, in: newFolder("alone"))
var house = (1...3).map { Daemon(busd, in: newFolder("house-\($0)"), redis: redis) }

// MARK: Sends

var aloneWriters = Writers(alone.socket)
var oneWriters = Writers(house[0].socket)
var threeWriters = Writers(house[0].socket, house[1].socket, house[2].socket, part: 1, games: 0)
var function = Function(redis)
var (ofAlone, ofOne, ofThree, calls) = (Latencies(), Latencies(), Latencies(), [Double]())
var (oneRatios, threeRatios): ([Double], [Double]) = ([], [])
for _ in 1...7 {
    var (aloneTurn, oneTurn, threeTurn) = (Latencies(), Latencies(), Latencies())
    aloneWriters.run(seconds: 1, &aloneTurn)
    oneWriters.run(seconds: 1, &oneTurn)
    threeWriters.run(seconds: 1, &threeTurn)
    calls.append(function.run(seconds: 1))
    oneRatios.append(oneTurn.perSecond / aloneTurn.perSecond)
    threeRatios.append(threeTurn.perSecond / aloneTurn.perSecond)
    ofAlone.take(aloneTurn)
    ofOne.take(oneTurn)
    ofThree.take(threeTurn)
}
print("Durable sends of 16 writers with one send outstanding each, in 7 turns of 1 s.")
for (name, all) in [
    ("alone", ofAlone), ("through one of three", ofOne), ("through three", ofThree),
] {
    print(
        "\(padded(name, 21)) \(text(all.perSecond, 0))/s,",
        "p50 \(milliseconds(all.percentile(50))), p99 \(milliseconds(all.percentile(99)))")
}
print("the bare function     \(spread(Sample(calls), 0)) calls/s of one entry")
print("one of three / alone  \(spread(Sample(oneRatios)))")
print("three / alone         \(spread(Sample(threeRatios))) (goal: 1.0)")

// Less noisy than a rate while other programs are busy.
let programs = house.map(\.program) + [redis.program]
let times = programs.map(\.processorTime)
var work = Latencies()
oneWriters.run(seconds: 5, &work)
let costs = zip(programs, times).map { program, time in
    text((program.processorTime - time) / Double(work.count) * 1e6)
}
print("processor time of an entry: \(costs[0]) µs at the daemon with the writers,")
print("\(costs[1]) and \(costs[2]) µs at the others, \(costs[3]) µs in Redis")

// MARK: From one daemon to another

let sender = Client(house[0].socket)!

/// Sends moves of one player. Each is shown by all views before the next is sent.
@MainActor func move(
    _ count: Int, game: Int, views counts: [Int], each note: (Double, Double) -> Void
) {
    let player = "scoreboard/\(game)/away/3"
    let views = counts.indices.map { Views(counts[$0], of: player, at: house[$0].socket) }
    before = (Clock.now, redis.traffic, house.reduce(0) { $0 + $1.processorTime })
    for number in 1...count {
        let start = Clock.now
        sender.send(#"{"op":"send","to":"\#(player)","event":"foulMove","id":\#(number)}"#)
        sender.awaitAnswer()
        let answered = Clock.now
        for (place, views) in views.enumerated() { views.await(counts[place]) }
        note(Clock.now - start, Clock.now - answered)
    }
    after = (Clock.now, redis.traffic, house.reduce(0) { $0 + $1.processorTime })
}
typealias Meters = (time: Double, traffic: Int, processorTime: Double)
var (before, after): (Meters, Meters) = ((0, 0, 0), (0, 0, 0))

var (toEvent, fromAnswer) = (Latencies(), Latencies())
move(1_000, game: 300, views: [0, 1]) {
    toEvent.note($0)
    fromAnswer.note($1)
}
for (name, all) in [("send to event", toEvent), ("answer to event", fromAnswer)] {
    print(
        "\(padded("\(name) at another", 27)) p50 \(milliseconds(all.percentile(50))),",
        "p99 \(milliseconds(all.percentile(99)))")
}

print("(goal of answer to event: p99 2 ms)")

// MARK: Through Redis

let idle = (Clock.now, redis.traffic)
usleep(3_000_000)
let idleRate = Double(redis.traffic - idle.1) / (Clock.now - idle.0)
print("bytes through Redis for a move, without \(text(idleRate, 0)) bytes/s of heartbeats:")
for (game, count) in [(299, 1), (298, 100), (297, 10_000)] {
    let moves = count > 100 ? 200 : 2_000
    move(moves, game: game, views: [count - count / 2, count / 2]) { _, _ in }
    let bytes = Double(after.traffic - before.traffic) - idleRate * (after.time - before.time)
    print("\(padded("\(count) views", 13)) \(text(bytes / Double(moves), 0))")
}

// MARK: Nine thousand views

var deliveries: [Double] = []
for (game, views) in [(296, [9_000]), (295, [3_000, 3_000, 3_000])] {
    move(200, game: game, views: views) { _, _ in }
    deliveries.append((after.processorTime - before.processorTime) / (200 * 9_000) * 1e6)
}
print("9,000 views at one daemon  \(text(deliveries[0])) µs of processor time per delivery")
let ratio = text(deliveries[1] / deliveries[0])
print("3,000 views at each        \(text(deliveries[1])) µs: \(ratio) times that")

// MARK: After a failure

/// Repeats a move until it is answered as done.
func moveUntilDone(_ client: Client, game: Int, key: String) {
    let player = "scoreboard/\(game)/away/3"
    while true {
        client.send(
            #"{"op":"send","to":"\#(player)","event":"foulMove","id":1,"key":"\#(key)"}"#)
        if client.readOnce().starts(with: #"{"ok""#.utf8) { return }
        usleep(1_000)
    }
}

var (afterRedis, afterDaemon) = (Latencies(), Latencies())
for number in 1...10 {
    redis.restart()
    let start = Clock.now
    moveUntilDone(sender, game: 294, key: "r\(number)")
    afterRedis.note(Clock.now - start)
}
for number in 1...10 {
    moveUntilDone(Client(house[2].socket)!, game: 293, key: "d\(number)")
    house[2].program.end(SIGKILL)
    let start = Clock.now
    _ = Views(1, of: "scoreboard/293/away/3", at: house[1].socket)
    afterDaemon.note(Clock.now - start)
    house[2] = Daemon(busd, in: "\(folder)/house-3", redis: redis)
}
for (name, all) in [
    ("Redis was killed: first answer", afterRedis),
    ("a daemon was killed: live at another", afterDaemon),
] {
    print(
        "\(padded(name, 37)) p50 of 10 \(milliseconds(all.percentile(50))),",
        "longest \(milliseconds(all.percentile(100))) (goal: 300 ms)")
}
for daemon in house + [alone] { daemon.program.end(SIGTERM) }
redis.program.end(SIGTERM)
