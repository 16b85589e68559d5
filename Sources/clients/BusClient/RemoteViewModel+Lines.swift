import BusdProtocol

extension RemoteViewModel {
    func received(_ event: BusConnection.Event) {
        guard isStarted else { return }
        switch event {
        case .connected: subscribe()
        case .line(let line, _): received(line)
        case .lost: isLive = false
        }
    }

    func subscribe() {
        snapshotNames = nil
        let request = BusRequest.subscribe(Pattern(address), as: name, since: bookmark.cursor)
        connection.request(request) { [weak self] answer in
            switch answer {
            case .success(let value):
                if value["resumed"]?.boolean != true { self?.snapshotNames = [] }
            case .failure(.refused(let error)): self?.subscriptionRefused(error)
            case .failure(.lost), .failure(.timedOut): break
            }
        }
    }

    private func subscriptionRefused(_ error: WireError) {
        let wasThere = bookmark.cursor != nil
        if wasThere, error.code == .unknownViewModel { return gone() }
        leave()
        onRefused?(error)
    }

    private func received(_ line: BusLine) {
        switch line {
        case .event(let event) where event.from == address: received(event)
        case .live(let to, let cursor?) where to.text == address.text: becameLive(at: cursor)
        case .gap(address, let missed):
            snapshotNames = []
            isLive = false
            onGap?(missed)
        case .gone(address): gone()
        default: break
        }
    }

    private func received(_ event: BusEvent) {
        guard bookmark.isNew(event) else { return }
        // Events that this version does not know are ignored.
        if let known = try? event.event.decode(Kind.ViewModelEvent.self, at: "event") {
            if event.isSnapshot {
                // Views may have applied edits that are not in `output`. Withdraw its value, so
                // that the snapshot's value reaches them even if it is the same.
                snapshotNames?.insert(known.name)
                output.withdraw(known.name)
            }
            cause = event.cause
            output.sendEdited(known)
            cause = nil
        }
        if !event.hasMore { onUpdate?() }
    }

    private func becameLive(at cursor: Cursor) {
        bookmark.becameLive(at: cursor)
        if let snapshotNames {
            for value in output.current where !snapshotNames.contains(value.name) {
                output.withdraw(value.name)
            }
        }
        snapshotNames = nil
        isLive = true
    }

    private func gone() {
        bookmark = Bookmark()
        leave()
        onGone?()
    }
}
