import Glibc

/// Sends a text with descriptors in one message (SCM_RIGHTS). Returns whether all of it was sent.
func pass(_ text: String, with descriptors: [Int32], on socket: Int32) -> Bool {
    let header = MemoryLayout<cmsghdr>.size
    let length = header + descriptors.count * MemoryLayout<Int32>.size
    // The length is rounded up as CMSG_SPACE does.
    var control = [UInt8](repeating: 0, count: (length + 7) / 8 * 8)
    control.withUnsafeMutableBytes { bytes in
        var head = cmsghdr()
        head.cmsg_len = length
        head.cmsg_level = SOL_SOCKET
        head.cmsg_type = Int32(SCM_RIGHTS)
        bytes.storeBytes(of: head, as: cmsghdr.self)
        descriptors.withUnsafeBytes { bytes[header...].copyBytes(from: $0) }
    }
    var data = Array(text.utf8)
    return control.withUnsafeMutableBytes { control in
        data.withUnsafeMutableBytes { data in
            var part = iovec(iov_base: data.baseAddress, iov_len: data.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) == data.count
            }
        }
    }
}
