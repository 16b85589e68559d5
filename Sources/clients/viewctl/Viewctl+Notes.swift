import BusdOptions

extension Viewctl {
    /// After the options in `viewctl --help`.
    static let notes = """
        Output:
          On a terminal, aligned text; in a pipe or with --json, JSON objects, one per
          line, which viewctl(1) lists. Messages go to standard error.

        Ctrl-C ends viewctl, and the shell reports 130; the live tables of house and
        top exit with 0. 'viewctl VERB --help' shows the options of a verb.
        """

    static let statuses: [ExitStatus.Meaning] =
        ExitStatus.meanings(.done, .noConnection) + [
            (.refused, ExitStatus.refused.meaning + "; expect: there are differences"),
            (.timedOut, "timed out; wait --now: the conditions do not hold"),
            (
                .gone,
                "watch, wait: the view model at the address has ended (a pattern waits for more); "
                    + "house: the daemon is no longer in a house"
            ),
            (.denied, ExitStatus.denied.meaning),
            (.unchanged, "send --expect-change: nothing has changed"),
            (.usage, ExitStatus.usage.meaning),
            (
                .badInput,
                "expect, watch --resume: the file cannot be read, or has lines that are not "
                    + "understood"
            ),
        ] + ExitStatus.meanings(.outputFailed, .tryAgain)

    static let environment = [
        (name: "BUSD_SOCKET", text: "the socket, if neither --socket nor a host is given"),
        (
            name: "BUSD_DAEMON",
            text: "the name of the daemon, if neither --daemon nor --socket is given; BUSD_SOCKET "
                + "is then not used"
        ),
        (name: "BUSD_HOST", text: "the daemon's machine, if --host is not given; not for relay"),
        (
            name: "XDG_RUNTIME_DIR",
            text: "the folder of the default socket, busd/busd.sock (else /run/busd/busd.sock)"
        ),
        (name: "NO_COLOR", text: "no colour, if it is not empty"),
    ]

    static let examples = [
        "viewctl list 'scoreboard/*'",
        "viewctl send scoreboard/1 pause",
        "done=$(viewctl get scoreboard/1 --cursor | jq -r '.done // empty')",
        #"viewctl send scoreboard/1 undo --if-done "$done""#,
        #"viewctl send echo/me say '{"text":"hello"}'"#,
        "viewctl --host ann@court list",
        "viewctl --daemon kitchend describe",
        "viewctl watch scoreboard/1 --only score | jq -r '.event.score.text // empty'",
        "viewctl tap | jq -r 'select(.outcome == \"overloaded\") | .name'",
        "viewctl wait scoreboard/1 finished.winner",
        "viewctl get scoreboard/1 teams.home score.home",
        "viewctl watch scoreboard/1 --format '{teams.home} {score.text}' --away '-'",
        #"printf '%s pause\n' scoreboard/1 scoreboard/2 | viewctl send -"#,
    ]
}
