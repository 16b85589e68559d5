import Glibc
package import Options
package import Protocol

extension Arguments {
    /// The address below `folder` whose last segment the option gives. Nil where it was not given.
    package func address(
        _ option: Option, below folder: Address
    ) throws(UsageError) -> Address? {
        guard let name = self[option] else { return nil }
        if let address = folder.appending(name), address.segments.count == folder.segments.count + 1
        {
            return address
        }
        throw error("a name has letters, digits, '.', '_' and '-', not other characters")
    }
}

extension Address {
    /// An address of this process's own.
    package var appendingProcess: Address { appending("pid-\(getpid())") ?? self }
}
