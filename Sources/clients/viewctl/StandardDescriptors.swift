import Glibc

/// Opens those of the three standard descriptors that this program was started without, so that no
/// socket gets their number, and nothing for a person is sent to the daemon. Using them fails.
func fillStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
        _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}
