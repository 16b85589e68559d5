import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B books
            shows the library of flash-card books that
            .BR busd (8)
            keeps, and how much of each is known.
            Any number of terminals can show it at the same time.
            A change in one terminal appears in the others, and each keeps its own choice of a book.
            .PP
            .I BOOK
            is the number or the address of a book to study at once.
            .PP
            Adding a book takes two screens: its name, and then its cards, one per line: front, tab,
            back.
            Type the cards or paste them, for example from a text export of Anki.
            Until the book is added, it is a draft in the daemon.
            Any terminal can edit the draft by its name.
            So a book begun in one terminal can be continued in another.
            The name of the draft is the user's name, unless
            .B \-\-creator
            gives another.
            All terminals show the cards, and changes appear after a pause in typing.
            Changes that two terminals make at the same time are merged by line; if both change the
            same line, both lines stay.
            The added book has the cards that the screen shows.
            If another terminal has just changed them, nothing is added until you have seen the
            change.
            To import a file, use
            .BR "viewctl import \fIFILE" ;
            see
            .BR viewctl (1).
            .PP
            A deleted book stays in the list for ten minutes, and can be taken back until then.
            .PP
            The cards of a book can be changed, added, moved and removed in their list, and a card
            that is studied can be changed after it is revealed.
            The progress of all cards stays.
            If another terminal has changed a card in the meantime, it is not changed again, and a
            message says so.
            The last change or removal can be undone, also by another terminal, and after a restart.
            .PP
            In a study, a card shows its front, and its back after it is revealed.
            A card that is too long for the screen can be scrolled, and its lower edge shows how
            many lines are below.
            The space key reveals a card when its front was shown whole, or when it is pressed
            again.
            An unknown card is shown again, a known card is not.
            The last answer can be undone.
            When no card is left, a second round can begin.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            it prints how much is known and a line for each book, then the lines that change.
            If standard input is a pipe, the end of standard input ends the program.
            With
            .I BOOK
            it prints a line for each change of the study.
            There each line of standard input is a command, and is answered with a line:
            .BR reveal ", " known ", " unknown ", " undo " or " again ,
            or their letters r, k, u, z and a.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "KEYS",
                #"""
                .SS In the library
                .TP
                arrows, Page Up, Page Down, Home, End
                Choose a book; a click does the same.
                .TP
                Enter
                Study the book.
                .TP
                .BR J ", " K
                Move the book down or up; Shift with an arrow does the same.
                .TP
                .B c
                The cards of the book.
                .TP
                .B r
                Rename the book.
                .TP
                .B d
                Delete the book, after a question.
                .TP
                .B u
                Take the deletion of the book back.
                .TP
                .B n
                A new book.
                .TP
                .BR ? ", " q
                Help, quit.
                .SS In the cards of a book
                .TP
                arrows, Page Up, Page Down, Home, End
                Choose a card; a click does the same.
                .TP
                .BR e ", Enter"
                Change the card.
                .TP
                .B n
                A new card, behind the chosen one.
                .TP
                .BR J ", " K
                Move the card down or up; Shift with an arrow does the same.
                .TP
                .B d
                Remove the card, after a question.
                .TP
                .B z
                Undo the last change or removal; Backspace does the same.
                .TP
                .B /
                Show the cards that have a text on either side; Enter ends the text.
                .TP
                Esc
                All cards; then back.
                .SS While a card is changed
                .TP
                Tab
                The other side.
                .TP
                Enter
                A new line.
                .TP
                Ctrl\-D
                Save the card.
                .TP
                Esc
                Leave it as it was.
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
                Reveal the back.
                .TP
                up, down, Page Up, Page Down
                Scroll a long card.
                .TP
                .B e
                Change the card, after it is revealed.
                .TP
                .B c
                All cards of the book.
                .TP
                .BR k ", " u
                Known, unknown; the right and left arrows do the same.
                .TP
                .B z
                Undo the last answer; Backspace does the same.
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
