import TestSupport
import Testing

/// `make install` into a folder, and the installed files.
struct InstallTests {
    private let root: Folder
    private let output: String

    init() throws {
        root = try Folder()
        let programs = try Products.path("busd").dropLast("/busd".count)
        let outcome = try Child.run(
            "make", "-s", "-C", Package.root, "install", "BIN=\(programs)", "DESTDIR=\(root.path)",
            "PREFIX=/opt/busd")
        #expect(outcome.status == 0, "\(outcome.errors)")
        output = outcome.output
    }

    @Test func `make install prints the next steps`() {
        let steps = output.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            steps == [
                "Next, as root:      systemctl daemon-reload && systemd-sysusers",
                "For all users:      systemctl enable --now busd.socket busd-view.socket",
                "  and each user:    usermod --append --groups busd USER, then log in again",
                "For one user only:  systemctl enable --now busd@UID.socket busd-view@UID.socket",
            ])
    }

    @Test func `make install puts programs, units and pages into the standard folders`() throws {
        try Child.run("bash", "-c", "cd \(root.path) && find -type f | sort").expect(
            output: """
                ./opt/busd/bin/books
                ./opt/busd/bin/busd
                ./opt/busd/bin/busd-login
                ./opt/busd/bin/scoreboard
                ./opt/busd/bin/viewctl
                ./opt/busd/lib/systemd/system/busd-view.socket
                ./opt/busd/lib/systemd/system/busd-view@.socket
                ./opt/busd/lib/systemd/system/busd.service
                ./opt/busd/lib/systemd/system/busd.socket
                ./opt/busd/lib/systemd/system/busd@.service
                ./opt/busd/lib/systemd/system/busd@.socket
                ./opt/busd/lib/sysusers.d/busd.conf
                ./opt/busd/share/bash-completion/completions/books
                ./opt/busd/share/bash-completion/completions/busd
                ./opt/busd/share/bash-completion/completions/busd-login
                ./opt/busd/share/bash-completion/completions/scoreboard
                ./opt/busd/share/bash-completion/completions/viewctl
                ./opt/busd/share/doc/busd/busd-house.conf
                ./opt/busd/share/fish/vendor_completions.d/books.fish
                ./opt/busd/share/fish/vendor_completions.d/busd-login.fish
                ./opt/busd/share/fish/vendor_completions.d/busd.fish
                ./opt/busd/share/fish/vendor_completions.d/scoreboard.fish
                ./opt/busd/share/fish/vendor_completions.d/viewctl.fish
                ./opt/busd/share/man/man1/books.1
                ./opt/busd/share/man/man1/busd-login.1
                ./opt/busd/share/man/man1/scoreboard.1
                ./opt/busd/share/man/man1/viewctl.1
                ./opt/busd/share/man/man7/busd-protocol.7
                ./opt/busd/share/man/man8/busd.8
                ./opt/busd/share/zsh/site-functions/_books
                ./opt/busd/share/zsh/site-functions/_busd
                ./opt/busd/share/zsh/site-functions/_busd-login
                ./opt/busd/share/zsh/site-functions/_scoreboard
                ./opt/busd/share/zsh/site-functions/_viewctl

                """)
    }

    @Test func `make uninstall removes every file that make install has made`() throws {
        let removal = try Child.run(
            "make", "-s", "-C", Package.root, "uninstall", "DESTDIR=\(root.path)",
            "PREFIX=/opt/busd")
        #expect(removal.status == 0, "\(removal.errors)")
        try Child.run("find", root.path, "-type", "f").expect()
    }

    private func unit(_ name: String) -> String { root("opt/busd/lib/systemd/system/\(name)") }

    @Test(.needs("systemd-analyze"), arguments: ["", "@"])
    func `systemd-analyze verify reports nothing about the units`(instance: String) throws {
        // The units must name the programs in the folder of this test.
        try Child.run(
            "bash", "-c",
            "sed -i s:/opt/busd:\(root("opt/busd")):g \(root("opt/busd/lib/systemd/system"))/*"
        ).expect()
        let units = ["busd@.service", "busd@.socket", "busd-view@.socket"].map { name in
            name.replacing("@", with: instance)
        }
        try Child(["systemd-analyze", "verify", "--system", "--man=no"] + units.map(unit)).outcome()
            .expect()
    }

    @Test(
        .needs("systemd-analyze"), arguments: ["busd.service", "busd@.service"])
    func `systemd rates the exposure of the daemon as at most 0.4`(name: String) throws {
        let report = try Child.run(
            "systemd-analyze", "security", "--offline=yes", "--threshold=4", "--no-pager",
            unit(name))
        #expect(report.status == 0, "\(report.output)")
        let exposure = report.output.firstMatch(of: #/exposure level for .*: ([0-9.]+)/#)
        let level = try #require(exposure.flatMap { Double($0.output.1) })
        #expect(level <= 0.4)
    }

    @Test(.needs("systemd-analyze"))
    func `the drop-in for a house keeps the limit of the daemon's exposure`() throws {
        let folder = "etc/systemd/system"
        let dropIn = "\(folder)/busd.service.d"
        try Child.run(
            "bash", "-c",
            """
            cd \(root.path) && mkdir -p \(dropIn) && cp opt/busd/lib/systemd/system/* \(folder) &&
            cp opt/busd/share/doc/busd/busd-house.conf \(dropIn)/house.conf
            """
        ).expect()
        let report = try Child.run(
            "systemd-analyze", "security", "--offline=yes", "--root=\(root.path)", "--threshold=4",
            "--no-pager", "busd.service")
        #expect(report.status == 0 && report.output.contains("SupplementaryGroups="))
    }

    /// Both units are equal, except for the user and the places of sockets and state.
    @Test func `the unit of a user's daemon has the sandbox of the system unit`() throws {
        let folder = Package.path("systemd")
        let own = [
            "Description", "Requires", "After", "Sockets", "User", "Group", "StateDirectory",
            "RemoveIPC", "Also", "WantedBy", "ExecReload",
        ]
        let strip = "grep -vE '^(#|$|(\(own.joined(separator: "|")))=)'"
        try Child.run(
            "bash", "-c",
            "cd \(folder) && diff <(\(strip) busd.service) <(\(strip) busd@.service)"
        ).expect()
    }

    @Test(.needs("man"))
    func `man shows all pages without a warning`() throws {
        for page in try Package.names(in: "man") {
            let shown = try Child(
                ["man", "--warnings", "-E", "UTF-8", "-l", Package.path("docs/man/\(page)")],
                environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"]
            ).outcome()
            #expect(shown.errors == "", "\(page)")
            #expect(shown.status == 0)
            #expect(shown.output.contains("NAME"))
        }
    }
}
