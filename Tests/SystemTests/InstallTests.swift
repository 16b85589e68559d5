import TestSupport
import Testing

/// `make install` into a folder, and what it puts there.
struct InstallTests {
    private let root: Folder

    init() throws {
        root = try Folder()
        let programs = try Products.path("busd").dropLast("/busd".count)
        let come = try Child.run(
            "make", "-s", "-C", Package.root, "install", "BIN=\(programs)", "DESTDIR=\(root.path)",
            "PREFIX=/opt/busd", "USER_UNITS=/opt/busd/lib/systemd/user")
        #expect(come.status == 0, "\(come.errors)")
    }

    @Test func `programs, units and pages are where they are looked for`() throws {
        try Child.run("bash", "-c", "cd \(root.path) && find -type f | sort").expect(
            output: """
                ./opt/busd/bin/books
                ./opt/busd/bin/busd
                ./opt/busd/bin/busd-login
                ./opt/busd/bin/scoreboard
                ./opt/busd/bin/viewctl
                ./opt/busd/lib/systemd/system/busd-view.socket
                ./opt/busd/lib/systemd/system/busd.service
                ./opt/busd/lib/systemd/system/busd.socket
                ./opt/busd/lib/systemd/user/busd-view.socket
                ./opt/busd/lib/systemd/user/busd.service
                ./opt/busd/lib/systemd/user/busd.socket
                ./opt/busd/lib/sysusers.d/busd.conf
                ./opt/busd/share/man/man1/books.1
                ./opt/busd/share/man/man1/busd-login.1
                ./opt/busd/share/man/man1/scoreboard.1
                ./opt/busd/share/man/man1/viewctl.1
                ./opt/busd/share/man/man7/busd-protocol.7
                ./opt/busd/share/man/man8/busd.8

                """)
    }

    @Test func `what was installed is removed again`() throws {
        let gone = try Child.run(
            "make", "-s", "-C", Package.root, "uninstall", "DESTDIR=\(root.path)",
            "PREFIX=/opt/busd", "USER_UNITS=/opt/busd/lib/systemd/user")
        #expect(gone.status == 0, "\(gone.errors)")
        try Child.run("find", root.path, "-type", "f").expect()
    }

    @Test(.enabled(if: areHere("systemd-analyze")), arguments: ["system", "user"])
    func `systemd has nothing to say about the units`(kind: String) throws {
        // Units that name the programs where they are now.
        try Child.run(
            "bash", "-c",
            "sed -i s:/opt/busd:\(root("opt/busd")):g \(root("opt/busd/lib/systemd"))/*/*"
        ).expect()
        let units = ["busd.service", "busd.socket", "busd-view.socket"].map { name in
            root("opt/busd/lib/systemd/\(kind)/\(name)")
        }
        try Child(
            ["systemd-analyze", "verify", "--\(kind)"] + units,
            environment: ["XDG_RUNTIME_DIR": root.path]
        ).outcome().expect()
    }

    /// A user's systemd may not set `User=`, for which 0.4 is counted.
    @Test(
        .enabled(if: areHere("systemd-analyze")),
        arguments: zip(["system", "user"], [4, 5]))
    func `the daemon is exposed by 0.4 at most, and a user's by 0.5`(kind: String, tenths: Int)
        throws
    {
        let report = try Child(
            [
                "systemd-analyze", "security", "--\(kind)", "--offline=yes",
                "--threshold=\(tenths)", "--no-pager",
                root("opt/busd/lib/systemd/\(kind)/busd.service"),
            ], environment: ["XDG_RUNTIME_DIR": root.path]
        ).outcome()
        #expect(report.status == 0, "\(report.output)")
        let exposure = report.output.firstMatch(of: #/exposure level for busd.service: ([0-9.]+)/#)
        let level = try #require(exposure.flatMap { Double($0.output.1) })
        #expect(level <= Double(tenths) / 10)
    }

    @Test(.enabled(if: areHere("man")))
    func `the pages have no mistake that man would warn of`() throws {
        for page in try Package.names(in: "man") {
            let shown = try Child(
                ["man", "--warnings", "-E", "UTF-8", "-l", Package.path("man/\(page)")],
                environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"]
            ).outcome()
            #expect(shown.errors == "", "\(page)")
            #expect(shown.status == 0)
            #expect(shown.output.contains("NAME"))
        }
    }
}
