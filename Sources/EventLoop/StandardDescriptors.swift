import Glibc

/// Opens each of the three standard descriptors that the program was started without. So no socket
/// or file gets its number, and no text for people goes to that socket or file. Reading or writing
/// it fails. Call it first in a program.
package func fillStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
        _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}
