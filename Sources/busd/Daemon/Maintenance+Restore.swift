import BusdFiles
import BusdProtocol
import BusdStorage
import Glibc

// `busd restore FILE`. The backup is checked in the folder of the store. Then it replaces the
// store: a daemon that runs starts again with it.

extension Maintenance {
    func restore(from path: String) throws {
        if let mark = try owner.act({ try HouseMark(in: folder) }) {
            throw StartError(
                "\(folder): this store belongs to the house \(mark.name.printable): leave it with "
                    + "\(daemon) house leave, restore, then join a new house")
        }
        // The user's right to read it counts, not the daemon's.
        let backup = try open(path, else: "name a backup")
        try owner.act {
            try Store.takeIn(backup, named: path, folder: folder, of: daemon)
        }
        let before = try owner.act { filesSetAside() }
        do {
            try unlessServed {
                let findings = try owner.act { try Store.putBack(folder: folder, of: daemon) }
                for finding in findings { print(finding.printable) }
            } else: { client in
                try restore(by: client)
            }
        } catch {
            try? owner.act { try Store.removeTakenIn(folder: folder) }
            throw error
        }
        for name in try owner.act({ filesSetAside() }) where !before.contains(name) {
            print("\(folder)/\(name) is what was there before".printable)
        }
        print("\(folder): \(path) is restored".printable)
    }

    /// Waits until the daemon has started again.
    private func restore(by client: ControlClient) throws {
        _ = try client.send({ $0.value("restore") }, to: BusStore.address)
        var left = timeout
        while try owner.act({ Store.awaitsStart(folder: folder) || findDaemon() == nil }) {
            guard left > 0 else {
                throw StartError(
                    "the daemon has the backup, and has not started again: see its log")
            }
            poll(nil, 0, 50)
            left -= 50
        }
    }

    /// Names of files that starts have set aside.
    private func filesSetAside() -> [String] {
        let names = (try? OpenFolder(folder).names()) ?? []
        return names.filter { name in
            let end = name.utf8.split(separator: UInt8(ascii: ".")).last
            return end?.starts(with: "replaced-".utf8) == true
        }.sorted()
    }
}
