/// The version of the programs of this package.
public enum Version {
    /// Three numbers, such as `1.2.3`, as `hello` and `--version` show them.
    public static let text = "0.9.0"
}
