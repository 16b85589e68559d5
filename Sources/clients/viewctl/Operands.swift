import BusdOptions
import BusdProtocol

extension Arguments {
    func pattern(_ text: String) throws(UsageError) -> Pattern {
        if let pattern = Pattern(text) { return pattern }
        throw error("'\(text)' is neither an address nor a pattern")
    }

    func address(_ text: String) throws(UsageError) -> Address {
        if let address = Address(text) { return address }
        throw error("'\(text)' is not an address")
    }
}
