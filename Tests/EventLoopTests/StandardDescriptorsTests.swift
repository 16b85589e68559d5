import EventLoop
import Glibc
import Testing

// The standard descriptors are the whole process's, so each test has a process of its own.
@Suite struct StandardDescriptorsTests {
    @Test(arguments: [[0], [1], [2], [0, 1, 2]] as [[Int32]])
    func `what the program was started without is filled, and of no use`(
        missing: [Int32]
    ) async {
        await #expect(processExitsWith: .success) { [missing = missing as [Int32]] in
            for number in missing { close(number) }

            fillStandardDescriptors()

            var byte: UInt8 = 0
            for number in missing {
                #expect(fcntl(number, F_GETFD) != -1)
                #expect((number == 0 ? read(0, &byte, 1) : write(number, &byte, 1)) == -1)
                #expect(errno == EBADF)
            }
            let next = open("/dev/null", O_RDONLY)
            #expect(next > 2)
        }
    }

    @Test func `what is there stays`() async {
        await #expect(processExitsWith: .success) {
            let before = (0...2).map { identity(of: $0) }
            fillStandardDescriptors()
            #expect((0...2).map { identity(of: $0) } == before)
        }
    }
}

private func identity(of number: Int32) -> [UInt] {
    var about = stat()
    return fstat(number, &about) == 0 ? [UInt(about.st_dev), UInt(about.st_ino)] : []
}
