import CBusdLibevent

// Calls from libevent into Swift. An event's context is the Swift object that owns the event,
// unretained: the object frees the event in its deinit, so no call can come later. During the call
// the object is retained, so that it may be dropped from inside its own callback.

enum Trampoline {
    static let call: event_callback_fn = { _, what, context in
        guard let context else { return }
        let event = Unmanaged<LoopEvent>.fromOpaque(context).takeUnretainedValue()
        withExtendedLifetime(event) { event.fire(Int32(what)) }  // fits: 16 bits do
    }

    static func context(of event: LoopEvent) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(event).toOpaque()
    }
}
