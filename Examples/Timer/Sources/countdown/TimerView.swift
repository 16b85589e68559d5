import BusdClient
import BusdProtocol
import BusdTerminal
import Timer

/// Draws a timer. Keys become view events.
final class TimerView: View {
    let output = Output<Timer.ViewEvent>()
    private var time = ""
    private var seconds = 0
    private var isRunning = false
    private var laps: [Timer.Lap] = []
    private var hasRung = false

    func handle(event: Timer.ViewModelEvent) {
        switch event {
        case .time(let text, let seconds): (time, self.seconds) = (text, seconds)
        case .running(let isRunning):
            self.isRunning = isRunning
            if isRunning { hasRung = false }
        case .laps(let laps): self.laps = laps
        case .lapsEdited(let edits): _ = laps.apply(edits)
        case .rang: hasRung = true
        }
    }

    func pressed(_ key: Key) {
        switch key {
        case .text(" "): output.send(isRunning ? .pause : .start)
        case .up: output.send(.lengthChanged(seconds: seconds + 60))
        case .down: output.send(.lengthChanged(seconds: seconds - 60))
        case .text("l"): output.send(.lap)
        case .text("d"): if let lap = laps.first { output.send(.deleteLap(id: lap.id)) }
        default: break
        }
    }

    func picture(_ size: Size, loss: Loss?) -> Frame {
        var frame = Frame(size)
        let state = hasRung ? "  time is up" : isRunning ? "" : "  paused"
        frame.write(time + state, at: Point(column: 2, row: 1), .bold)
        for (row, lap) in laps.enumerated() {
            frame.write("lap \(lap.id)  \(lap.text)", at: Point(column: 2, row: row + 3))
        }
        let hint = "space start/pause   up, down length   l lap   d delete lap   q quit"
        let last = Point(column: 2, row: size.rows - 1)
        frame.write(loss?.description ?? hint, at: last, .dim)
        return frame
    }
}
