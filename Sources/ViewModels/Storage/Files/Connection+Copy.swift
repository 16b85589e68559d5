extension Connection {
    /// Makes a consistent copy of the database, which replaces a file of that name. It is whole or
    /// not there at all, so nothing is made of a database that is damaged.
    func copy(to path: String) throws(StoreError) {
        do throws(SQLiteStatus) {
            try checkIntegrity()
        } catch {
            throw .database(error, path: "\(path) is not written, because the store is damaged")
        }
        let partial = "\(path).partial"
        try File.makeNew(partial)
        do {
            try naming(partial) { () throws(SQLiteStatus) in
                try once("VACUUM INTO ?1").run(.text(partial))
            }
            try File.sync(partial)
            try File.rename(partial, to: path)
        } catch {
            try? File.remove(partial)
            throw error
        }
        try File.syncFolder(File.folder(of: path))
    }
}
