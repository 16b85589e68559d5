import Testing

@testable import BusdOptions

@Suite struct HelpTests {
    @Test func `The help of a program lists its options`() throws {
        #expect(
            try daemon.text("--help") == """
                Usage: busd [OPTION]...

                Hosts view models.

                Options:
                  -s, --socket PATH  the daemon's socket (default: $BUSD_SOCKET, else
                                     $XDG_RUNTIME_DIR/busd/busd.sock)
                      --state DIR    where games are kept
                  -q, --quiet        say nothing
                  -h, --help         print this help
                  -V, --version      print the version

                """)
    }

    @Test func `The help of a program with verbs lists them`() throws {
        #expect(
            try client.text("--help") == """
                Usage: viewctl [OPTION]... VERB [OPERAND]...

                Talks to a daemon from the command line, and shows what its view models say, in
                lines or as JSON.

                Verbs:
                  list [PATTERN]                the view models
                  send ADDRESS EVENT [PAYLOAD]  one view event
                  watch [PATTERN]...            what happens

                Options:
                  -s, --socket PATH      the daemon's socket (default: $BUSD_SOCKET, else
                                         $XDG_RUNTIME_DIR/busd/busd.sock)
                  -t, --timeout SECONDS  give up (default: 5)
                  -h, --help             print this help
                  -V, --version          print the version

                Exit status: 0 done, 64 usage.

                """)
    }

    @Test func `The help of a verb lists its options and the program's`() throws {
        #expect(
            try client.text("send", "--help") == """
                Usage: viewctl send [OPTION]... ADDRESS EVENT [PAYLOAD]

                one view event

                Options:
                      --if-seq N         only while the sequence is N
                  -s, --socket PATH      the daemon's socket (default: $BUSD_SOCKET, else
                                         $XDG_RUNTIME_DIR/busd/busd.sock)
                  -t, --timeout SECONDS  give up (default: 5)
                  -h, --help             print this help
                  -V, --version          print the version

                """)
    }

    @Test func `A long label has a line of its own`() throws {
        let program = Program(
            "a", version: "1", "A.",
            options: [Option("a-name-of-some-length", argument: "ARGUMENT", "what it does")],
            operands: [Operand("FILE")], verbs: [Verb("b", "c")], isVerbRequired: false)

        #expect(
            try program.text("-h") == """
                Usage: a [OPTION]... FILE
                  or:  a [OPTION]... VERB [OPERAND]...

                A.

                Verbs:
                  b  c

                Options:
                      --a-name-of-some-length ARGUMENT
                                 what it does
                  -h, --help     print this help
                  -V, --version  print the version

                """)
    }

    @Test func `No line of help is wider than 80 columns`() throws {
        for text in [daemon.help, client.help] + client.verbs.map(client.help(for:)) {
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test(arguments: [["--help"], ["-h", "lsit"], ["-h", "-V"], ["-t1", "--hel"]])
    func `Help comes before any error`(words: [String]) throws {
        #expect(try client.parse(words) == .show(client.help))
    }

    @Test func `The help of a verb needs none of its operands`() throws {
        let send = try #require(client.verbs.first { $0.name == "send" })

        #expect(try client.text("send", "-h") == client.help(for: send))
        #expect(try client.text("send", "a", "b", "c", "d", "-h") == client.help(for: send))
    }

    @Test(arguments: [["--version"], ["-V"], ["-V", "lsit"], ["send", "-V"]])
    func `The version has the program's name`(words: [String]) throws {
        #expect(try client.parse(words) == .show("viewctl 1.2\n"))
    }
}
