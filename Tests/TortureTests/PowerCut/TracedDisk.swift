import TestSupport

/// A disk that loses what was not synced. A name is kept after a sync of its folder, content after
/// a sync of its file.
struct TracedDisk {
    private enum Change {
        case wrote([UInt8], at: Int)
        case cut(Int)
    }

    private struct File {
        var synced: [UInt8] = []
        var pending: [Change] = []
    }

    private let folder: String
    /// Files by number, because a file can be renamed.
    private var files: [File] = []
    private var names: [String: Int] = [:]
    /// The synced names, followed by the names after each later change.
    private var histories: [[String: Int]] = [[:]]

    /// - Parameter files: the files at the start, by path.
    init(folder: String, holding files: [String: [UInt8]]) {
        self.folder = folder
        for (path, bytes) in files {
            names[path] = self.files.count
            self.files.append(File(synced: bytes))
        }
        histories = [names]
    }

    mutating func take(_ event: Trace.Event) {
        switch event {
        case .created(let path) where path.hasPrefix("\(folder)/") && names[path] == nil:
            names[path] = files.count
            files.append(File())
            histories.append(names)
        case .removed(let path) where names[path] != nil:
            names[path] = nil
            histories.append(names)
        case .renamed(let path, let other) where names[path] != nil:
            names[other] = names.removeValue(forKey: path)
            histories.append(names)
        case .wrote(let path, let bytes, let place):
            change(path, .wrote(bytes, at: place))
        case .cut(let path, let length): change(path, .cut(length))
        case .synced(folder): histories = [names]
        case .synced(let path): sync(path)
        default: break
        }
    }

    private mutating func change(_ path: String, _ change: Change) {
        if let number = names[path] { files[number].pending.append(change) }
    }

    private mutating func sync(_ path: String) {
        guard let number = names[path] else { return }
        for change in files[number].pending { Self.apply(change, to: &files[number].synced) }
        files[number].pending = []
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .cut(let length): bytes = Array(bytes.prefix(length))
        case .wrote(let new, let place):
            let missing = place + new.count - bytes.count
            if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
            bytes.replaceSubrange(place..<(place + new.count), with: new)
        }
    }

    // MARK: The power is cut

    /// The files after a power cut that loses everything that was not synced.
    func afterCut() -> [String: [UInt8]] {
        (histories.first ?? [:]).mapValues { files[$0].synced }
    }

    /// The files after a power cut that loses a random part of what was not synced. A write can be
    /// kept in part, by whole sectors.
    func afterCut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (path, number) in histories[random.number(0...(histories.count - 1))] {
            var bytes = files[number].synced
            for change in files[number].pending where !random.once(in: 3) {
                Self.apply(Self.torn(change, &random), to: &bytes)
            }
            found[path] = bytes
        }
        return found
    }

    private static func torn(_ change: Change, _ random: inout SeededGenerator) -> Change {
        guard case .wrote(let bytes, let place) = change, bytes.count > 512, random.once(in: 4)
        else { return change }
        return .wrote(Array(bytes.prefix(512 * random.number(0...(bytes.count / 512)))), at: place)
    }
}
