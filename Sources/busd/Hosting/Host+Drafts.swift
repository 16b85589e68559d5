import BusdBroker
package import BusdProtocol

// Drafts survive a planned stop of the daemon.

extension Host {
    package typealias SavedDraft = (kind: String, address: Address, body: [UInt8])

    /// The drafts of view models, up to this many bytes together.
    package func drafts(most: Int) -> [SavedDraft] {
        var bytes = 0
        return awakeModels.compactMap { kind, address, model in
            guard kind.traits.contains(.draft), let body = kind.draft(of: model) else { return nil }
            bytes += body.count
            return bytes <= most ? (kind.name, address, body) : nil
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

    /// All view models that are made.
    private var awakeModels: [(kind: any HostedKind, address: Address, model: AnyObject)] {
        places.compactMap { place in
            guard place.isHere, let model = place.model else { return nil }
            return (kinds[place.kind.index], place.address, model)
        }
    }
}
