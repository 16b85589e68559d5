import BusdOptions

extension Viewctl {
    /// After the options in `viewctl --help`.
    static let notes = """
        Output:
          On a terminal, aligned text. In a pipe or with --json, JSON objects of busd,
          one a line: of list, one for each view model; of describe, one
          for each kind; of get, one for each event, and with --cursor one with cursor
          and done; of watch, each event, live, gap and gone; of send and ping, what ok
          holds; of send --events, each event; of import, its book, address and cards.
          Messages go to standard error.

        Ctrl-C ends viewctl as it ends any program; a shell shows 130. The live table of
        house ends with 0.
        viewctl VERB --help tells the options of a verb.
        """

    static let statuses: [ExitStatus.Meaning] =
        ExitStatus.meanings(.done, .noConnection, .refused, .timedOut) + [
            (
                .gone,
                "watch: what was watched by its address was deleted; a pattern waits for more; "
                    + "house: the daemon is no longer in a house"
            ),
            (.denied, ExitStatus.denied.meaning),
            (.usage, ExitStatus.usage.meaning),
            (.badInput, "import: the file can't be read, or not all of it is cards"),
        ] + ExitStatus.meanings(.outputFailed, .tryAgain)

    static let environment = [
        (name: "BUSD_SOCKET", text: "the socket, if neither --socket nor a host is given"),
        (name: "BUSD_HOST", text: "the machine of busd, if --host is not given; not for relay"),
        (
            name: "XDG_RUNTIME_DIR",
            text: "where the default socket is: busd/busd.sock in there, else /run/busd/busd.sock"
        ),
        (name: "NO_COLOR", text: "no colour, if it is not empty"),
    ]

    static let examples = [
        "viewctl list 'scoreboard/*'",
        "viewctl send scoreboard/1 pause",
        "done=$(viewctl get scoreboard/1 --cursor | jq -r '.done // empty')",
        #"viewctl send scoreboard/1 undo --if-done "$done""#,
        #"viewctl send echo/me say '{"text":"hello"}'"#,
        "viewctl import Kanji.txt",
        "viewctl --host ann@court list",
        "viewctl watch scoreboard/1 --only score | jq -r '.event.score.text // empty'",
        "viewctl watch scoreboard/1 --until finished.isFinished=true >/dev/null",
    ]
}
