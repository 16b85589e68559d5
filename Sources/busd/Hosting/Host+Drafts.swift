import BusdBroker
package import BusdProtocol

// Drafts survive a planned stop of the daemon.

extension Host {
    package typealias SavedDraft = (kind: String, address: Address, body: [UInt8])

    /// The drafts of view models, up to this many bytes together.
    package func drafts(most: Int) -> [SavedDraft] {
        var bytes = 0
        return residents.compactMap { resident in
            guard let resident, let body = kind(of: resident).draft(of: resident.model)
            else { return nil }
            bytes += body.count
            return bytes <= most ? (kinds[resident.kind].name, resident.address, body) : nil
        }
    }

    /// Makes view models from saved drafts. A draft that cannot be read is dropped, and reported.
    package func restore(_ drafts: [SavedDraft]) {
        for draft in drafts {
            do throws(WireError) {
                try restore(draft)
            } catch {
                report("the draft \(draft.address) cannot be read: \(error.message)")
            }
        }
    }
}
