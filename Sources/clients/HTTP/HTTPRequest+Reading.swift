import BusdProtocol
import CBusdMicrohttpd
import Glibc

extension HTTPServer {
    /// The head of a request.
    func request(_ handle: OpaquePointer, method: String, path: String) -> HTTPRequest {
        let headers = HTTPHeaders(of: handle)
        let isFromLoopback = isLoopback(busd_http_peer(handle))
        // Only a proxy on this machine is believed.
        let isSecureAtProxy =
            isFromLoopback && headers.single("x-forwarded-proto")?.isExactly("https") == true
        return HTTPRequest(
            method: HTTPRequest.Method(rawValue: method), path: path,
            query: names(ofQuery: handle), headers: headers,
            isSecure: isSecure || isSecureAtProxy)
    }
}

extension HTTPHeaders {
    init(of handle: OpaquePointer) {
        self.init()
        forEachValue(handle, .HEADER_KIND) { add($0, $1) }
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

private func isLoopback(_ address: UnsafePointer<sockaddr>?) -> Bool {
    guard let address else { return false }
    switch Int32(address.pointee.sa_family) {  // fits: 16 bits do
    case AF_INET:
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
        }
    case AF_INET6:
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            withUnsafeBytes(of: $0.pointee.sin6_addr) {
                $0.elementsEqual([UInt8](repeating: 0, count: 15) + [1])
            }
        }
    default: return false
    }
}
