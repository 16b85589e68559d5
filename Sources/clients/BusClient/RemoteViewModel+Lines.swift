import BusdProtocol

extension RemoteViewModel {
    func heard(_ event: BusConnection.Event) {
        guard isStarted else { return }
        switch event {
        case .connected: subscribe()
        case .line(let line, _): heard(line)
        case .lost: isLive = false
        }
    }

    func subscribe() {
        told = nil
        let request = BusRequest.subscribe(Pattern(address), as: name, since: bookmark.cursor)
        connection.request(request) { [weak self] answer in
            switch answer {
            case .success(let value):
                if value["resumed"]?.boolean != true { self?.told = [] }
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

    private func heard(_ line: BusLine) {
        switch line {
        case .event(let event) where event.from == address: heard(event)
        case .live(let to, let cursor?) where to.text == address.text: becameLive(at: cursor)
        case .gap(address, let missed):
            told = []
            isLive = false
            onGap?(missed)
        case .gone(address): gone()
        default: break
        }
    }

    private func heard(_ event: BusEvent) {
        guard bookmark.isNew(event) else { return }
        // Events that this version does not know are ignored.
        if let known = try? event.event.decode(Kind.ViewModelEvent.self, at: "event") {
            if event.isSnapshot {
                // Views may have applied edits that are not in `output`. Withdraw its value, so
                // that the snapshot's value reaches them even if it is the same.
                told?.insert(known.name)
                output.withdraw(known.name)
            }
            output.sendEdited(known)
        }
        if !event.hasMore { onUpdate?() }
    }

    private func becameLive(at cursor: Cursor) {
        bookmark.becameLive(at: cursor)
        if let told {
            for value in output.current where !told.contains(value.name) {
                output.withdraw(value.name)
            }
        }
        told = nil
        isLive = true
    }

    private func gone() {
        bookmark = Bookmark()
        leave()
        onGone?()
    }
}
