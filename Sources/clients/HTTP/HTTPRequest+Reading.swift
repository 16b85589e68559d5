import BusdProtocol
import CBusdMicrohttpd
import Glibc

extension HTTPServer {
    /// The request whose head is there. `line` are the library's texts of its first line.
    func request(_ handle: OpaquePointer, _ line: HTTPHead.Line, target size: Int) -> HTTPRequest {
        let head = HTTPHead(handle, line)
        let headers = head.headers
        let peer = HTTPClient(peer: busd_http_peer(handle))
        // Only a proxy on this machine is believed.
        let isSecureAtProxy =
            peer.isLocal && headers.single("x-forwarded-proto")?.isExactly("https") == true
        let forwarded =
            peer.isLocal
            ? headers.values("x-forwarded-for").last.flatMap(HTTPClient.init(forwarded:)) : nil
        return HTTPRequest(
            method: HTTPRequest.Method(rawValue: String(cString: line.method)),
            path: String(cString: line.path), query: names(ofQuery: handle), headers: headers,
            client: forwarded ?? peer, isWellFormed: head.isWellFormed(target: size),
            targetSize: size, headSize: head.size, isSecure: isSecure || isSecureAtProxy)
    }
}

/// The head of a request in the library's buffer, where the library has written a NUL over each
/// separator.
///
/// The library takes lines that end with LF alone, spaces before a target, and a NUL as the end of
/// a value. It joins a continued line to the name of its header. A proxy may read such a head as
/// another one, and take the body for a second request, or the other way round. Whatever the
/// library did, its texts do not lie one behind the other afterwards.
struct HTTPHead {
    /// The method, the path without the query, and the version.
    typealias Line = (
        method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    )

    let size: Int
    let headers: HTTPHeaders
    private let line: Line
    /// The names and values.
    private var texts: [(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)] = []

    init(_ handle: OpaquePointer, _ line: Line) {
        self.line = line
        size = busd_http_head_size(handle)
        let all = UnsafeRawPointer(line.method)..<UnsafeRawPointer(line.method) + size
        var headers = HTTPHeaders()
        var texts = texts
        forEachValue(handle, .HEADER_KIND) { name, value in
            // The header that `HTTPTrampoline.target` has added is elsewhere.
            if let start = name.baseAddress, !all.contains(start), name.count > 0 { return }
            texts.append((name, value))
            headers.add(name, value)
        }
        (self.texts, self.headers) = (texts, headers)
    }

    /// Whether it is `METHOD TARGET VERSION`, and then lines of `name: value`, each with CR LF.
    /// - Parameter target: the bytes of the target, with the query.
    func isWellFormed(target: Int) -> Bool {
        var place = UnsafeRawPointer(line.method) + strlen(line.method) + 1
        guard place == UnsafeRawPointer(line.path) else { return false }
        place += target + 1
        guard place == UnsafeRawPointer(line.version) else { return false }
        place += strlen(line.version)
        for (name, value) in texts {
            guard isLineEnd(place), let start = name.baseAddress, let text = value.baseAddress,
                start == place + 2
            else { return false }
            place = start + name.count + 1
            while place < text, isSpace(place.load(as: UInt8.self)) { place += 1 }
            guard place == text else { return false }
            place += value.count
        }
        let end = UnsafeRawPointer(line.method) + size
        return place + 4 == end && isLineEnd(place) && isLineEnd(place + 2)
    }

    private func isLineEnd(_ place: UnsafeRawPointer) -> Bool {
        place.loadUnaligned(as: UInt16.self) == 0
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

private func names(ofQuery handle: OpaquePointer) -> [String] {
    var names: [String] = []
    forEachValue(handle, .GET_ARGUMENT_KIND) { name, _ in
        names.append(String(decoding: name, as: UTF8.self))
    }
    return names
}

private typealias Visit = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void

private func forEachValue(_ handle: OpaquePointer, _ kind: MHD_ValueKind, _ visit: Visit) {
    withoutActuallyEscaping(visit) { visit in
        var visit = visit
        withUnsafeMutablePointer(to: &visit) { place in
            _ = MHD_get_connection_values_n(
                handle, kind,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: Visit.self).pointee(
                        UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameSize),
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
                    return .YES
                }, place)
        }
    }
}
