public import BusdProtocol

extension Host {
    /// A host without a store: things live as long as the host.
    public convenience init(timeline: Timeline = Timeline()) {
        self.init(timeline: timeline, openLibraries: { Libraries(clock: $0) })
    }

    /// Registers a kind of view model that needs no services.
    public func register<Model: HostedViewModel>(_ type: Model.Type) where Model.Services == Void {
        register(type, services: ())
    }
}
