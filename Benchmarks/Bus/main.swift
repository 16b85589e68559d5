import Glibc
import Load
import Measures

// bench-bus FOLDER FLOOR RESULTS: measures the cost of a delivery, next to Redis, mosquitto and
// plain C. FOLDER has busd and viewctl, FLOOR is the C program, RESULTS is the file to write.

guard CommandLine.arguments.count == 4 else { stop("usage: bench-bus FOLDER FLOOR RESULTS") }
let (folder, floor, results) = (
    CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3]
)
Machine.prepare()
let busd = System.busd("\(folder)/busd")
let others = [System.redis, .mosquitto].filter { other in
    if !other.isInstalled { print("== bench: \(other.name) is not installed, and is left out") }
    return other.isInstalled
}
let floors = [System.floor(floor, "line"), .floor(floor, "turn")]
let effort = Effort.usual
var report = Report(results)

report.note("Server CPU for each delivery", Machine.text)
do {
    let say = FanOut(.say, ([busd] + others + floors).map(Server.init), effort)
    report.note(
        "`say`, a text of 100 characters", say.table.text,
        plot: "say", "Costs of say to 64 subscribers")
    report.rows += say.rows

    // Without mosquitto: it drops messages that do not fit its queues, and with three lines at once
    // these are many.
    let withRedis = [busd] + others.filter { $0.name == "Redis" } + floors
    let answered = FanOut(.answeredSay, withRedis.map(Server.init), effort)
    report.note("The same, each `send` with an `id` and answered", answered.table.text)

    let servers = withRedis.map(Server.init)
    servers[0].makeGames(1)
    let move = FanOut(.onePointMove, servers, effort)
    report.note(
        "`onePointMove`, three lines in three view models", move.table.text,
        plot: "move", "Costs of onePointMove to 64 subscribers")
    report.rows += move.rows
}
if others.contains(where: { $0.name == "Redis" }) {
    report.rows += Delays.roundTrip([busd, .redis], effort)
    report.rows += Delays.idleSubscribers([busd, .redis], effort)
    report.rows.append(Processes.sending("\(folder)/viewctl", busd))
}
report.rows.append(Growth.subscribers(busd, floors[1], effort))
do {
    let big = Server(busd)
    big.makeGames(10_000)
    report.rows.append(Growth.viewModels(busd, big, effort))
    report.rows.append(Delays.snapshot(big))
}
report.rows.append(Growth.patterns(busd, effort))
report.rows += Processes.starting(busd)
if System(name: "strace", wire: .floor, command: { _, _ in ["strace"] }).isInstalled {
    let cells = [(64, 1), (64, 32), (1, 32)].map {
        FanOut.Cell(subscribers: $0.0, outstanding: $0.1)
    }
    report.note(
        "System calls of busd for each `say`", Processes.calls("\(folder)/busd", cells).text)
}
report.finish()
removeFolders()
