import BusdEventLoop

/// Somebody with an errand: says one line, is answered, and closes.
final class Caller {
    enum Said {
        case line(String)
        case goodbye
    }

    private let socket: Descriptor
    private let said: (Caller, Said) -> Void
    private var event: DescriptorEvent?
    private var line: [UInt8] = []
    private var hasSpoken = false
    private var answer: [UInt8] = []

    init(
        _ socket: Descriptor, loop: Loop, said: @escaping (Caller, Said) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.said = said
        let event = DescriptorEvent(loop: loop, descriptor: socket.number) { [weak self] ready in
            self?.attend(ready)
        }
        try event.watch(for: .readable)
        self.event = event
    }

    /// Once.
    func answer(_ answer: ErrandAnswer) {
        self.answer = Array(answer.text.utf8)
        write()
    }

    private func attend(_ ready: DescriptorEvent.Interest) {
        if ready.contains(.writable) { write() }
        if ready.contains(.readable) { read() }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Errand.longestLine)
        switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .bytes(let count): heard(buffer[..<count])
        case .wouldBlock: break
        case .ended, .failed: end()
        }
    }

    private func heard(_ bytes: ArraySlice<UInt8>) {
        guard !hasSpoken else { return }
        line += bytes
        if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            hasSpoken = true
            said(self, .line(String(decoding: line[..<end], as: UTF8.self)))
        } else if line.count > Errand.longestLine {
            end()
        }
    }

    private func write() {
        switch answer.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count):
            answer.removeFirst(count)
            if answer.isEmpty { socket.shutDownOutput() }
            watch(answer.isEmpty ? .readable : [.readable, .writable])
        case .wouldBlock: watch([.readable, .writable])
        case .ended, .failed: end()
        }
    }

    private func watch(_ interest: DescriptorEvent.Interest) {
        do {
            try event?.watch(for: interest)
        } catch {
            end()
        }
    }

    private func end() {
        event = nil
        said(self, .goodbye)
    }
}
