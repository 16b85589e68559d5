/// `echo/NAME`: the smallest view model.
public enum Echo: ViewModelKind {
    public static let name = "echo"

    public enum ViewEvent: BusyEvent {
        case say(text: String)

        public static let examples: [Self] = [.say(text: "hello")]
    }

    public enum ViewModelEvent: BusyEvent {
        case said(text: String)

        public static let examples: [Self] = [.said(text: "hello")]
    }
}
