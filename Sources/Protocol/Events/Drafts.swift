/// Limits for the fields of drafts. A valid name is much shorter.
public enum Drafts {
    /// Bytes of a name that is being typed.
    public static let longestName = 1_024
    /// Bytes of all drafts together.
    public static let mostBytes = 16_777_216

    /// For the text of a field.
    public static let draftName = Limit("draftName", most: longestName)
    /// For all drafts together.
    public static let drafts = Limit("drafts", most: mostBytes)
}
