import Glibc
import TestSupport
import Testing

/// A fake `ssh` that runs the remote command on this machine.
final class FakeSSH {
    let folder: Folder

    /// - Parameter body: a shell script, in which `$*` is the command.
    init(_ body: String = #"eval "exec $*""#) throws {
        folder = try Folder()
        let script = """
            #!/bin/sh
            while [ "$1" != -- ]; do shift; done
            echo $$ >'\(folder("pid.new"))' && mv '\(folder("pid.new"))' '\(folder("pid"))'
            shift 2
            \(body)

            """
        try folder.write(script, to: "ssh")
        chmod(folder("ssh"), 0o755)
    }

    /// A PATH with the fake `ssh` and the programs.
    var path: String {
        get throws {
            let programs = try Products.path("busd").dropLast("/busd".count)
            let others = getenv("PATH").map { String(cString: $0) } ?? ""
            return "\(folder.path):\(programs):\(others)"
        }
    }

    /// Starts a program that connects to a socket through the fake `ssh`.
    func start(_ words: String..., on socket: String) throws -> Child {
        try child(words, socket)
    }

    func run(_ words: String..., on socket: String) throws -> Child.Outcome {
        try child(words, socket).outcome()
    }

    private func child(_ words: [String], _ socket: String) throws -> Child {
        let options = ["--host", "court", "--socket", socket]
        return try Child(
            [try Products.path(words[0])] + options + words.dropFirst(),
            environment: ["PATH": try path])
    }

    /// Kills the ssh that was started last.
    func kill() throws {
        let text = try Child.run("cat", folder("pid")).output
        let pid = try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
        Glibc.kill(pid, SIGKILL)
    }
}
