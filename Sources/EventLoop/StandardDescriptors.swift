import Glibc

/// Opens those of the three standard descriptors that the program was started without, so that no
/// socket or file gets their number, and nothing that is meant for a person goes there. Using them
/// fails. The first thing that a program does.
package func fillStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
        _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}
