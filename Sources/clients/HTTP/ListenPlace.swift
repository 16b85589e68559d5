/// Where a server listens.
package enum ListenPlace: Hashable, CustomStringConvertible {
    case network(ListenAddress)
    /// A Unix socket, for a proxy.
    case unix(path: String)

    /// `nil` unless the text is `unix:` and a path, or a numeric address and a port.
    package init?(_ text: String) {
        let prefix = "unix:"
        if text.utf8.starts(with: prefix.utf8) {
            guard text.utf8.count > prefix.utf8.count else { return nil }
            self = .unix(
                path: String(Substring(text.utf8.dropFirst(prefix.utf8.count))))
        } else if let address = ListenAddress(text) {
            self = .network(address)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .network(let address): "\(address)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Whether only this machine can reach it.
    package var isLocal: Bool {
        switch self {
        case .network(let address): address.isLoopback
        case .unix: true
        }
    }
}
