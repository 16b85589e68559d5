extension Viewctl {
    /// The end of `viewctl --help`.
    static let notes = """
        Output:
          On a terminal, aligned text. In a pipe or with --json, JSON objects of busd,
          one a line: of list, one for each view model; of describe, one in
          all; of get, one for each event; of watch, each event, live, gap and gone; of
          send and ping, what ok holds; of import, its book, address and cards.
          Messages go to standard error.

        Exit status:
          0   done; also when nobody reads the output any more
          1   no connection
          2   refused; the reason is on standard error
          3   timed out
          64  wrong usage
          65  import: the file can't be read, or not all of it is cards
          74  the output could not be written
          Ctrl-C ends viewctl as it ends any program; a shell shows 130.

        Environment:
          BUSD_SOCKET      the socket, where --socket is not given
          XDG_RUNTIME_DIR  where the default socket is: busd/busd.sock in there,
                           else /run/busd/busd.sock
          NO_COLOR         no colour, where it is not empty

        Examples:
          viewctl list 'scoreboard/*'
          viewctl send scoreboard/1 togglePause
          viewctl send echo/me say '{"text":"hello"}'
          viewctl import Kanji.txt
          viewctl watch scoreboard/1 --only score | jq -r '.event.score.text // empty'
          viewctl watch scoreboard/1 --until finished.isFinished=true >/dev/null

        viewctl VERB --help tells the options of a verb.
        """
}
