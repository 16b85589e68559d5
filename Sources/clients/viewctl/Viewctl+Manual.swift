import BusdOptions

extension Viewctl {
    static let manual = Manual(
        description: #"""
            .B viewctl
            sends one request to
            .BR busd (8)
            and prints the answer, or prints events as they happen.
            .PP
            On a terminal it prints aligned text, with colour.
            In a pipe, and with
            .BR \-\-json ,
            it prints JSON objects from the daemon, one per line, for
            .BR jq (1)
            and similar programs.
            Messages go to standard error.
            """#,
        sections: [
            ("FILES OF CARDS", filesOfCards),
            (
                "FROM ANOTHER MACHINE",
                #"""
                With
                .B \-\-host
                or
                .B BUSD_HOST
                viewctl runs
                .BR ssh (1),
                and
                .B viewctl relay
                on the other machine, which connects to the socket there.
                ssh asks for a password on the terminal if it needs one, and writes its messages to
                standard error.
                Without
                .B \-\-timeout
                there is no time limit for ssh.
                After a lost connection
                .B watch
                connects again and resumes.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "books(1)", "scoreboard(1)", "busd-protocol(7)"])

    private static let filesOfCards = #"""
        .B viewctl import
        reads a text in UTF-8, or in UTF-16 with its mark.
        A line has the front and the back of a card, and ends with LF, CR or both.
        Further fields are left out.
        A field in double quotes may contain separators, line ends, and quotes, each doubled.
        .PP
        The headers of Anki are understood at the beginning of the file, such as
        .BR "#separator:comma" ", " "#html:true" ", " "#deck:Kanji" " and " "#guid column:1" .
        A special column of Anki is neither front nor back.
        There, another line with # and without a second field is a comment.
        A header with a value that is not understood is refused, also with
        .BR \-\-skip\-bad .
        .PP
        With
        .B #html:true
        or
        .BR \-\-html ,
        tags are left out, or begin a new line, and entities are decoded.
        An image becomes its alternative text or its name in brackets.
        A sound of Anki is left out; a side that has nothing else is [sound].
        .PP
        A cloze such as {{c1::Paris::city}} becomes one card for each of its numbers.
        The front has [city] or [...] in its place, and the back is the whole text.
        .PP
        If a side is empty, the next field that is not empty takes its place, and standard error
        says how often.
        Without such a field, the line is bad.
        Lines that have only separators are left out.
        .PP
        .B viewctl export
        writes such a file, with the header
        .BR "#busd:exact" ,
        which Anki takes as a comment.
        .B viewctl import
        then takes each line as a card as it is: one front and one back, also if a side is empty or
        looks like HTML, a sound or a cloze.
        """#
}
