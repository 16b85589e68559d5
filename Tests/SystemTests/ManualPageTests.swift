import TestSupport
import Testing

/// The man pages: scripts/manuals.sh, which `make check` runs too.
struct ManualPageTests {
    private let script = Package.path("scripts/manuals.sh")

    @Test func `The man pages are up to date`() throws {
        try Child.run(script, "--check", Products.folder).expect()
    }

    @Test func `A page has the prose at its marks, and all entries of the tables`() throws {
        let folder = try folder(
            """
            @NAME@
            .SH DESCRIPTION
            A tool is a tool.
            @include more.in@
            @OPTIONS@
            @--socket@
            More about the socket.
            @get --all@
            More about all.
            .SH SEE ALSO
            .BR busd (8)

            """)
        try folder.write("More of a tool.\n", to: "man/more.in")
        try run(folder).expect()
        let page = """
            .SH NAME
            tool \\- does it
            .SH DESCRIPTION
            A tool is a tool.
            More of a tool.
            .SH OPTIONS
            .TP
            \\fB\\-j\\fR, \\fB\\-\\-json\\fR
            JSON lines.
            .TP
            \\fB\\-s\\fR, \\fB\\-\\-socket\\fR \\fIPATH\\fR
            The socket.
            More about the socket.
            .SS Of get
            .TP
            \\fB\\-\\-all\\fR
            All of them.
            More about all.
            .TP
            \\fB\\-\\-none\\fR
            None of them.
            .SH SEE ALSO
            .BR busd (8)

            """
        #expect(try folder.text(of: "man/tool.1") == page)
        try run(folder, "--check").expect()
        try folder.write(page + "more\n", to: "man/tool.1")
        try run(folder, "--check").expect(
            status: 1,
            errors: "\(folder("man"))/tool.1 is not up to date: run make manuals\n")
        #expect(try folder.text(of: "man/tool.1") == page + "more\n")
    }

    @Test(arguments: [
        ("@OPTIONS@\n@--sockets@\n", "2: the page has no --sockets here"),
        ("@OPTIONS@\n@--all@\n", "2: the page has no --all here"),
        ("@OPTIONS@\n@--socket@\n@--json@\n", "3: the page has no --json here"),
        ("@OPTIONS@\n.SH FILES\n@--json@\n", "3: the page has no --json here"),
        ("@FILES@\n@OPTIONS@\n", "1: the page has no FILES here"),
        ("@include none.in@\n@OPTIONS@\n", "1: cannot read FOLDER/none.in"),
        (".SH FILES\n", "1: @OPTIONS@ is missing"),
        ("@OPTIONS@\n@OPTIONS@\n", "2: @OPTIONS@ is there twice"),
    ])
    func `A mark that is unknown or missing is an error`(prose: String, error: String) throws {
        let folder = try folder("@NAME@\n.SH DESCRIPTION\n" + prose)
        let parts = error.split(separator: ":", maxSplits: 1)
        let line = try #require(Int(parts[0])) + 2
        let message = parts[1].replacing("FOLDER", with: folder("man"))
        for option in [[], ["--check"]] {
            try run(folder, option).expect(
                status: 1, errors: "\(folder("man"))/tool.1.in:\(line):\(message)\n")
        }
        #expect(names(in: folder("man")) == ["tool.1.in"])
    }

    /// A folder with a program that has tables, and with the prose of its page.
    private func folder(_ prose: String) throws -> Folder {
        let folder = try Folder()
        try Child.run("mkdir", folder("man")).expect()
        try folder.write(prose, to: "man/tool.1.in")
        try folder.write(
            #"""
            #!/bin/sh
            cat <<'END'
            .SH NAME
            tool \- does it
            .SH DESCRIPTION
            Does it.
            .SH OPTIONS
            .TP
            \fB\-j\fR, \fB\-\-json\fR
            JSON lines.
            .TP
            \fB\-s\fR, \fB\-\-socket\fR \fIPATH\fR
            The socket.
            .SS Of get
            .TP
            \fB\-\-all\fR
            All of them.
            .TP
            \fB\-\-none\fR
            None of them.
            END

            """#, to: "tool")
        try Child.run("chmod", "+x", folder("tool")).expect()
        return folder
    }

    private func run(_ folder: Folder, _ options: String...) throws -> Child.Outcome {
        try run(folder, options)
    }

    private func run(_ folder: Folder, _ options: [String]) throws -> Child.Outcome {
        try Child([script] + options + [folder.path, folder("man")]).outcome()
    }
}
