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

    @Test func `The command make install prints the next steps`() {
        let steps = output.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            steps == [
                "Next, as root:      systemctl daemon-reload && systemd-sysusers",
                "For all users:      systemctl enable --now busd.socket busd-view.socket",
                "  and each user:    usermod --append --groups busd USER, then log in again",
                "For one user only:  systemctl enable --now busd@UID.socket busd-view@UID.socket",
                "For browsers:       systemctl enable --now busd-web, then open http://127.0.0.1:8080",
            ])
    }

    @Test func `Programs, units and pages are in the standard folders after make install`() throws {
        try Child.run("bash", "-c", "cd \(root.path) && find -type f | sort").expect(
            output: """
                ./opt/busd/bin/books
                ./opt/busd/bin/busd
                ./opt/busd/bin/busd-login
                ./opt/busd/bin/busd-web
                ./opt/busd/bin/scoreboard
                ./opt/busd/bin/viewctl
                ./opt/busd/lib/systemd/system/busd-view.socket
                ./opt/busd/lib/systemd/system/busd-view@.socket
                ./opt/busd/lib/systemd/system/busd-web.service
                ./opt/busd/lib/systemd/system/busd-web.socket
                ./opt/busd/lib/systemd/system/busd.service
                ./opt/busd/lib/systemd/system/busd.socket
                ./opt/busd/lib/systemd/system/busd@.service
                ./opt/busd/lib/systemd/system/busd@.socket
                ./opt/busd/lib/sysusers.d/busd-web.conf
                ./opt/busd/lib/sysusers.d/busd.conf
                ./opt/busd/share/bash-completion/completions/books
                ./opt/busd/share/bash-completion/completions/busd
                ./opt/busd/share/bash-completion/completions/busd-login
                ./opt/busd/share/bash-completion/completions/busd-web
                ./opt/busd/share/bash-completion/completions/scoreboard
                ./opt/busd/share/bash-completion/completions/viewctl
                ./opt/busd/share/doc/busd-web/busd-web-scoring.conf
                ./opt/busd/share/doc/busd-web/busd-web.policy
                ./opt/busd/share/doc/busd/busd-house.conf
                ./opt/busd/share/fish/vendor_completions.d/books.fish
                ./opt/busd/share/fish/vendor_completions.d/busd-login.fish
                ./opt/busd/share/fish/vendor_completions.d/busd-web.fish
                ./opt/busd/share/fish/vendor_completions.d/busd.fish
                ./opt/busd/share/fish/vendor_completions.d/scoreboard.fish
                ./opt/busd/share/fish/vendor_completions.d/viewctl.fish
                ./opt/busd/share/man/man1/books.1
                ./opt/busd/share/man/man1/busd-login.1
                ./opt/busd/share/man/man1/scoreboard.1
                ./opt/busd/share/man/man1/viewctl.1
                ./opt/busd/share/man/man7/busd-protocol.7
                ./opt/busd/share/man/man8/busd-web.8
                ./opt/busd/share/man/man8/busd.8
                ./opt/busd/share/zsh/site-functions/_books
                ./opt/busd/share/zsh/site-functions/_busd
                ./opt/busd/share/zsh/site-functions/_busd-login
                ./opt/busd/share/zsh/site-functions/_busd-web
                ./opt/busd/share/zsh/site-functions/_scoreboard
                ./opt/busd/share/zsh/site-functions/_viewctl

                """)
    }

    @Test func `The command make uninstall removes every file that make install has made`() throws {
        let removal = try Child.run(
            "make", "-s", "-C", Package.root, "uninstall", "DESTDIR=\(root.path)",
            "PREFIX=/opt/busd")
        #expect(removal.status == 0, "\(removal.errors)")
        try Child.run("find", root.path, "-type", "f").expect()
    }

    private func unit(_ name: String) -> String { root("opt/busd/lib/systemd/system/\(name)") }

    @Test(.needs("systemd-analyze"), arguments: ["", "@"])
    func `The units have no fault for systemd-analyze verify`(instance: String) throws {
        // The units must name the programs in the folder of this test.
        try Child.run(
            "bash", "-c",
            "sed -i s:/opt/busd:\(root("opt/busd")):g \(root("opt/busd/lib/systemd/system"))/*"
        ).expect()
        let daemon = ["busd@.service", "busd@.socket", "busd-view@.socket"].map { name in
            name.replacing("@", with: instance)
        }
        let units = daemon + ["busd-web.service"]
        try Child(["systemd-analyze", "verify", "--system", "--man=no"] + units.map(unit)).outcome()
            .expect()
    }

    /// The rating of a unit by `systemd-analyze security`, from 0 (safe) to 10.
    private func exposure(_ arguments: String...) throws -> Double {
        let report = try Child(
            ["systemd-analyze", "security", "--offline=yes", "--no-pager"] + arguments
        ).outcome()
        let line = report.output.firstMatch(of: #/exposure level for .*: ([0-9.]+)/#)
        return try #require(line.flatMap { Double($0.output.1) }, "\(report)")
    }

    @Test(
        .needs("systemd-analyze"), arguments: ["busd.service", "busd@.service"])
    func `The exposure of the daemon is at most 0.4 for systemd`(name: String) throws {
        #expect(try exposure(unit(name)) <= 0.4)
    }

    /// Its 0.7 more than the daemon are the network, without which it serves no browser.
    @Test(.needs("systemd-analyze"))
    func `The exposure of busd-web is at most 1.1 for systemd`() throws {
        #expect(try exposure(unit("busd-web.service")) <= 1.1)
    }

    @Test(
        .needs("systemd-analyze"),
        arguments: [
            ("busd", "busd/busd-house.conf", 0.4),
            ("busd-web", "busd-web/busd-web-scoring.conf", 1.1),
        ])
    func `A drop-in that is installed as an example keeps the limit of the exposure`(
        name: String, example: String, limit: Double
    ) throws {
        let folder = "etc/systemd/system"
        let dropIn = "\(folder)/\(name).service.d"
        try Child.run(
            "bash", "-c",
            """
            cd \(root.path) && mkdir -p \(dropIn) && cp opt/busd/lib/systemd/system/* \(folder) &&
            cp opt/busd/share/doc/\(example) \(dropIn)
            """
        ).expect()
        let root = "--root=\(root.path)"
        #expect(try exposure(root, "\(name).service") <= limit)
        let report = try Child.run(
            "systemd-analyze", "security", "--offline=yes", root, "--no-pager", "\(name).service")
        #expect(report.output.contains("SupplementaryGroups="))
    }

    /// Both units are equal, except for the user and the places of sockets and state.
    @Test func `The unit of a user's daemon has the sandbox of the system unit`() throws {
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

    @Test func `The sandbox of busd-web is that of the daemon, but for the network`() throws {
        let own = ["PrivateUsers", "PrivateNetwork", "IPAddressDeny", "RestrictAddressFamilies"]
        try Child.run(
            "bash", "-c",
            """
            cd \(Package.path("systemd")) || exit
            sandbox() {
                sed -n '/^NoNewPrivileges/,/^SystemCallErrorNumber/p' "$1" |
                    grep -vE '^(#|(\(own.joined(separator: "|")))=)'
            }
            diff <(sandbox busd.service) <(sandbox busd-web.service)
            """
        ).expect()
    }

    @Test func `The example of a policy lets busd-web send to games alone`() throws {
        let busd = try Products.path("busd")
        // This machine may have neither the user nor the group.
        let policy = root("policy")
        try Child.run(
            "bash", "-c",
            """
            sed 's/^busd-web /4001 /; s/^@busd /@4444 /' \
                \(root("opt/busd/share/doc/busd-web/busd-web.policy")) >\(policy)
            """
        ).expect()
        try Child.run(busd, "policy", "check", policy).expect(
            output: "\(policy): no faults in 4 lines\n")
        func may(_ words: String...) throws -> [String] {
            let report = try Child([busd, "policy", "who", "--policy", policy, "4001"] + words)
                .outcome()
            return report.output.split(separator: "\n").map { line in
                line.split(separator: " ").first { ["allowed", "refused"].contains($0) }
                    .map(String.init) ?? ""
            }
        }
        for (address, event) in [
            ("scoreboard/1", "undo"), ("scoreboard/1", "togglePause"),
            ("scoreboard/1/home/1", "onePointMove"),
        ] {
            #expect(try may(address, event) == ["allowed", "allowed", "allowed"])
        }
        for address in ["games", "scoreboard/1/plays"] {
            #expect(try may(address) == ["allowed", "refused", "refused"])
        }
        for address in ["books", "cards/1", "study/1", "login/a", "game-creator/a", "bus/views"] {
            #expect(try may(address) == ["refused", "refused", "refused"])
        }
    }

    @Test(.needs("man"))
    func `The command man shows all pages without a warning`() throws {
        for page in try Package.names(in: "docs/man") where !page.hasSuffix(".in") {
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
