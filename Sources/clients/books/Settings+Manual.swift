import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B books
            shows the library of flash-card books that
            .BR busd (8)
            keeps, and how much of each is known.
            Any number of them may look at it at the same time: whatever one of them changes, the
            others show, and the
            book that is chosen in each stays chosen.
            .PP
            .I BOOK
            is its number or its address; with it, that book is studied at once.
            .PP
            A book is added over two screens: its name, then its cards, a line each: the front, a
            tab, the back.
            They may be typed or pasted; a text export of Anki will do.
            Until then the book is a draft in the daemon.
            Everybody who knows the name of the draft can edit it.
            So a book begun in one terminal can be continued in another.
            The name of the draft is the user's name, unless
            .B \-\-creator
            gives another.
            All terminals show the cards, and changes appear after a pause in typing.
            Changes that two terminals make at the same time are merged by line; if both change the
            same line, both lines stay.
            The book that is added has the cards that the screen shows; if another terminal has just
            changed them, nothing is
            added until you have seen the change.
            A file is read by
            .BR viewctl (1):
            .BR "viewctl import \fIFILE" .
            .PP
            A card that is studied shows its front; once it is revealed, its back.
            A known card is not asked again, an unknown card is.
            The last answer can be undone.
            When no card is left, a second round can begin.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            it prints how much is known and a line for each book, then the lines that change, until
            the standard input,
            if it is a pipe, ends.
            With
            .I BOOK
            it prints a line whenever the card that is studied has changed.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "KEYS",
                #"""
                .SS In the library
                .TP
                arrows, Page Up, Page Down, Home, End
                Choose a book; a click does it too.
                .TP
                Enter
                Study it.
                .TP
                .BR J ", " K
                Move it down or up; Shift with an arrow does it too.
                .TP
                .B d
                Delete it, after a question.
                .TP
                .B n
                A new book.
                .TP
                .BR ? ", " q
                Help, quit.
                .SS While a book is added
                .TP
                Enter
                From the name to the cards; there, the next card.
                .TP
                Tab
                From the front of a card to its back.
                .TP
                Ctrl\-D
                Add the book.
                .TP
                Esc
                Back to the name, and from there to the library; the draft stays.
                .SS With a card
                .TP
                space
                Reveal it.
                .TP
                .BR k ", " u
                It was known, or unknown; the arrows to the right and to the left do it too.
                .TP
                .B z
                Undo the last answer; Backspace does it too.
                .TP
                .B a
                When no card is left: begin a second round, with all cards.
                .TP
                Esc
                Back to the library.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "viewctl(1)", "busd-protocol(7)"])
}
