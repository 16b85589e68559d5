/// Gives the space of removed rows back to the file system.
extension Opening {
    /// Bytes. Less free space in a file is kept for later rows.
    private static let leastFree = 16 << 20

    /// Writes a database anew if most of its pages are free. If that fails, such as for lack of
    /// space, the file stays as it is: its free pages will be used again.
    ///
    /// - Returns: why free space stays in a file, for the log file.
    func giveBackSpace() -> [String] {
        [folder.log, folder.states].compactMap { path in
            do throws(StoreError) {
                try giveBackSpace(of: path)
                return nil
            } catch {
                return "free space stays in \(path): \(error)"
            }
        }
    }

    private func giveBackSpace(of path: String) throws(StoreError) {
        let new = "\(path).new"
        guard let size = try File.size(path), size > Self.leastFree else { return }
        do throws(StoreError) {
            let connection = try connect(path)
            let used = try connection.usedBytes()
            guard size - used > max(used, Self.leastFree) else { return }
            try connection.checkpoint(emptiesWAL: true)
            guard try File.free(in: folder.path) / 2 >= used else {
                throw StoreError.unsuitable(
                    path: folder.path, reason: "needs \(used) free bytes twice: make room there")
            }
            try File.makeNew(new)
            try connection.once("VACUUM INTO ?1").run([.text(new)])
            try connection.removeWALOnClose()
        } catch {
            try? File.remove(new)
            throw error
        }
        try File.replace(path, by: new)
    }
}
