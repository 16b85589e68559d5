/// Gives the space of removed rows back to the file system.
extension Opening {
    /// Bytes. Less free space in a file is kept for later rows.
    private static let leastFree = 16 << 20

    /// Writes a database anew if most of its pages are free. If that fails, such as for lack of
    /// space, the file stays as it is: its free pages will be used again.
    func giveBackSpace() {
        for path in [folder.log, folder.states] { try? giveBackSpace(of: path) }
    }

    private func giveBackSpace(of path: String) throws(StoreError) {
        let new = "\(path).new"
        guard let size = try File.size(path), size > Self.leastFree else { return }
        do {
            let connection = try connect(path)
            let used = try connection.usedBytes()
            guard size - used > max(used, Self.leastFree) else { return }
            try connection.checkpoint(emptiesWAL: true)
            guard try File.free(in: folder.path) / 2 >= used else { return }
            try File.makeNew(new)
            try connection.once("VACUUM INTO ?1").run([.text(new)])
            try connection.removeWALOnClose()
        } catch {
            try? File.remove(new)
            throw error
        }
        try File.sync(new)
        try File.rename(new, to: path)
        try File.syncFolder(folder.path)
    }
}
