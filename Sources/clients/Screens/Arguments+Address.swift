package import BusdOptions
package import BusdProtocol
import Glibc

extension Arguments {
    /// The address below `folder` whose last segment is the option's argument; nil without the
    /// option.
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

    /// The address of a thing that is named by its number, or by its address.
    ///
    /// - Parameters:
    ///   - thing: such as `a game`, for the error.
    ///   - example: a number, for the error.
    package func address(
        _ text: String, in folder: Address, of thing: String, suchAs example: Int
    ) throws(UsageError) -> Address {
        let address = text.utf8.allSatisfy(\.isDigit) ? folder.appending(text) : Address(text)
        if let address, address.isBelow(folder), address.segments.count == 2 { return address }
        throw error(
            "\(thing) is a number such as \(example), or an address such as \(folder)/\(example)")
    }
}

extension Address {
    /// An address that only this process uses: its last segment has the process id.
    package var appendingProcess: Address { appending("pid-\(getpid())") ?? self }

    /// An address that cannot be guessed: the last segment is 128 random bits, in hexadecimal.
    package var appendingRandom: Address {
        let digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }
        return appending(digits.joined()) ?? self
    }
}
