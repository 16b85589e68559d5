import Glibc

/// The peer at the other end is gone for good, or the descriptor is broken.
func isHungUp(_ descriptor: Int32) -> Bool {
    events(of: descriptor, asked: 0, milliseconds: 0) != 0
}

/// For a program that has nothing else to do and no loop.
package enum Wait {
    /// True when something can be read (be it the end), false when the time is over; a negative
    /// time never is.
    package static func forReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        events(of: descriptor, asked: Int16(POLLIN), milliseconds: milliseconds) != 0
    }
}

private func events(of descriptor: Int32, asked: Int16, milliseconds: Int32) -> Int16 {
    var entry = pollfd(fd: descriptor, events: asked, revents: 0)
    let found = (try? check("poll") { poll(&entry, 1, milliseconds) }) ?? 0
    return found > 0 ? entry.revents : 0
}
