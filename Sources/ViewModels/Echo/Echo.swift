public import BusdProtocol

/// `echo/NAME`: the smallest view model.
public enum Echo: ViewModelKind {
    public static let name = "echo"

    public enum ViewEvent: BusyEvent {
        /// Asks for `said` with the same text.
        case say(text: String)

        public static let examples: [Self] = [.say(text: "hello")]
    }

    public enum ViewModelEvent: BusyEvent {
        /// The text of a `say`, unchanged.
        case said(text: String)

        public static let examples: [Self] = [.said(text: "hello")]
    }
}
