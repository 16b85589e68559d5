/// Events over time: a tap, a move, a line of text. A handler gets the values that are sent after
/// it was bound.
///
///     let (taps, input) = Signal<Int>.pipe()
///     taps.filter { $0 > 1 }.bind(label) { $0.text = "tapped \($1) times" }
///     input.send(value: 2)
///
/// Handlers are called in the order in which they were bound, before `send` returns. A value that
/// is sent while another is handled waits until all handlers have handled the first. A handler that
/// is bound in the meantime gets neither.
public final class Signal<Value>: BindingSource<Value> {
    convenience init(rank: Int) { self.init(Channel(rank: rank)) }

    /// A signal, and the only end through which values are sent on it.
    public typealias Pipe = (output: Signal, input: Observer)

    /// A new signal, and its input.
    public static func pipe() -> Pipe {
        let channel = Channel<Value>()
        return (Signal(channel), Observer(channel: channel))
    }

    /// The end of a signal through which values are sent.
    public struct Observer {
        @usableFromInline let channel: Channel<Value>

        /// Calls all handlers with the value; see `Signal` for the order.
        @inlinable public func send(value: Value) { channel.emit(value) }
    }
}

extension Signal.Observer where Value == Void {
    /// Sends the event, which has no value.
    public func send() { send(value: ()) }
}
