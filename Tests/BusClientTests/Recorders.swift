import BusdProtocol

@testable import BusdClient

/// Records the events of a connection, one text for each.
final class EventRecorder {
    private var entries: [String] = []

    init(_ connection: BusConnection) {
        connection.listen(self) { recorder, event in recorder.note(event) }
    }

    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    private func note(_ event: BusConnection.Event) {
        switch event {
        case .connected: entries.append("connected")
        case .line(_, let object): entries.append(String(decoding: object.json, as: UTF8.self))
        case .lost(let loss): entries.append("lost: \(loss)")
        }
    }
}

/// Records the answers to requests, one text for each.
final class AnswerRecorder {
    private var entries: [String] = []

    func note(_ name: String) -> (BusConnection.Answer) -> Void {
        { [weak self] answer in self?.entries.append("\(name) \(Self.text(answer))") }
    }

    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    private static func text(_ answer: BusConnection.Answer) -> String {
        switch answer {
        case .success(let value): String(decoding: value.json, as: UTF8.self)
        case .failure(.refused(let error)): "refused \(error.code): \(error.message)"
        case .failure(.lost(let loss)): "lost: \(loss)"
        case .failure(.timedOut): "timed out"
        }
    }
}
