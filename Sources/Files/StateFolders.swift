/// The folder for what outlives a program; `nil`: the environment names none.
///
/// - Parameters:
///   - name: of the program.
///   - machine: the folder of the machine, if the program runs for the machine.
///   - variable: returns the value of an environment variable.
package func stateFolder(
    of name: String, machine: String? = nil, _ variable: (String) -> String?
) -> String? {
    // A relative path would depend on the working folder; the XDG specification ignores it.
    func folder(_ name: String) -> String? {
        variable(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
    // systemd may name several folders; the first is the program's.
    if let folders = folder("STATE_DIRECTORY")?.utf8,
        let first = folders.split(separator: UInt8(ascii: ":")).first
    {
        return String(Substring(first))
    }
    return machine ?? folder("XDG_STATE_HOME").map { "\($0)/\(name)" }
        ?? folder("HOME").map { "\($0)/.local/state/\(name)" }
}
