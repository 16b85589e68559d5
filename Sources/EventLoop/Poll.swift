import Glibc

/// Whether the peer neither reads nor writes any more, or the descriptor is broken.
func isHungUp(_ descriptor: Int32) -> Bool {
    events(of: descriptor, asked: 0, milliseconds: 0) != 0
}

/// For a program without a loop.
package enum Wait {
    /// True if there is input, or its end; false after a timeout. A negative time waits without
    /// end.
    package static func forReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        events(of: descriptor, asked: Int16(POLLIN), milliseconds: milliseconds) != 0
    }

    /// Returns when there is input or, if `isWriting`, when output is possible, or after a timeout.
    package static func forReady(_ descriptor: Int32, isWriting: Bool, milliseconds: Int32) {
        let asked = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
        _ = events(of: descriptor, asked: asked, milliseconds: milliseconds)
    }
}

func events(of descriptor: Int32, asked: Int16, milliseconds: Int32) -> Int16 {
    var entry = pollfd(fd: descriptor, events: asked, revents: 0)
    let found = (try? check("poll") { poll(&entry, 1, milliseconds) }) ?? 0
    return found > 0 ? entry.revents : 0
}
