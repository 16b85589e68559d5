import BusdEventLoop
import BusdProtocol

extension BusConnection {
    func received(_ event: LineSocket.SocketEvent) {
        switch event {
        case .line(let line): read(line)
        case .ended: lost(byeReason ?? dialer?.reasonOfEnd ?? .ended(path: path))
        case .tooLong:
            let most = BusLine.limits.line >> 20
            lost(.malformed(path: path, reason: "a line is longer than \(most) MiB"))
        case .failed(let error): lost(byeReason ?? .system(path: path, reason: error.description))
        }
    }

    private func read(_ line: ArraySlice<UInt8>) {
        // A value that a listener has kept refers to its document. Otherwise the document is
        // reused.
        if !isKnownUniquelyReferenced(&document) {
            document = JSONDocument(isLenient: true)
        }
        do throws(WireError) {
            try document.read(line.span, limits: BusLine.limits)
        } catch {
            return lost(.malformed(path: path, reason: error.message))
        }
        guard let object = document.root, object.kind == .object else {
            return lost(.malformed(path: path, reason: "a line is not an object"))
        }
        received(BusLine(object), object)
    }

    private func received(_ line: BusLine, _ object: JSONValue) {
        switch line {
        case .ok(let value, let id): calls.take(id)?(.success(value))
        case .refusal(let error, let id): calls.take(id)?(.failure(.refused(error)))
        case .bye(let code, let message): byeReason = .bye(code: code, message: message)
        default: break
        }
        // The handler of the answer may have closed the connection.
        if isConnected { listeners.notify(.line(line, object)) }
    }
}
