import BusdEventLoop
import BusdFiles
import BusdProtocol
import BusdStorage
import Glibc

// Requests to the daemon that serves the store. Its control socket is found through the folder.

extension Maintenance {
    /// Calls `rest` if no daemon has the store open, else `ask` with a client of this daemon.
    func unlessServed<Value>(
        _ rest: () throws -> Value, else ask: (ControlClient) throws -> Value
    ) throws -> Value {
        // No other daemon is asked.
        _ = try owner.act { try Store.exists(folder: folder, of: daemon) }
        // If its lock file was removed, the store of a running daemon looks unused. So first look
        // for a daemon.
        if let daemon = try owner.act({ findDaemon() }) {
            return try self.ask(daemon, ask)
        }
        do {
            return try rest()
        } catch StoreError.inUse {
            return try self.ask(try owner.act { try awaitDaemon() }, ask)
        }
    }

    private func ask<Value>(
        _ daemon: RunningDaemon, _ body: (ControlClient) throws -> Value
    ) throws -> Value {
        do {
            return try body(daemon.client)
        } catch is ControlClient.NoAnswer {
            throw StartError("the daemon in \(folder) did not answer: see its log")
        }
    }

    /// Waits until the daemon listens, for a tenth of `timeout`.
    func awaitDaemon() throws -> RunningDaemon {
        var left = timeout / 10
        while true {
            if let daemon = findDaemon() { return daemon }
            guard left > 0 else {
                throw StartError("cannot reach the daemon in \(folder): see its log")
            }
            poll(nil, 0, 50)
            left -= 50
        }
    }

    /// The daemon that the link in the folder leads to; `nil` if it does not listen, or serves
    /// another folder.
    func findDaemon() -> RunningDaemon? {
        guard let socket = ControlLink.target(in: folder) else { return nil }
        guard case .connected(let descriptor) = connectUnix(path: socket) else { return nil }
        let daemon = try? RunningDaemon(at: socket, descriptor, timeout: timeout)
        return isSame(folder, daemon?.state) ? daemon : nil
    }

    private func isSame(_ folder: String, _ other: String?) -> Bool {
        var (a, b) = (stat(), stat())
        guard let other, stat(folder, &a) == 0, stat(other, &b) == 0 else { return false }
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino
    }
}
