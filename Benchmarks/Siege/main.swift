import Glibc
import Measures

// siege BUSD [CASE...]: measures the effect of many, slow, greedy and hostile clients on busd.
// siege soak BUSD MINUTES: clients connect and leave; memory and descriptors must not grow.
// siege witness SOCKET MILLISECONDS: a process of the other two.

signal(SIGPIPE, SIG_IGN)
let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "witness" where words.count == 3:
    var witness = Witness(words[1], everyMilliseconds: Int(words[2]) ?? 5)
    witness.run()
case "soak" where words.count == 3:
    raiseLimitOfDescriptors()
    guard let minutes = Double(words[2]), minutes > 0 else { stop("MINUTES must be above 0") }
    exit(Soak(Daemon(words[1]), minutes: minutes).run() ? 0 : 1)
case let busd? where busd.contains("/"):
    raiseLimitOfDescriptors()
    let siege = Siege(busd: busd)
    siege.run(only: Array(words.dropFirst()))
    exit(siege.report.isBroken ? 1 : 0)
default: stop("usage: siege BUSD [CASE...], siege soak BUSD MINUTES")
}
