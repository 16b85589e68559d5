# `make help` lists the targets.

SHELL = /bin/bash
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL = help
.PHONY: help run view play house try new-kind manuals pictures recording docs docs-site build test test-rest test-all \
    compare test-units test-sandbox test-schedules test-package test-release test-instructions test-examples \
    test-applications test-bars test-web \
    torture sanitize fuzz check bench bench-bus bench-storage bench-house siege soak install uninstall deb clean

PREFIX ?= /usr/local
DESTDIR ?=
SCRATCH ?= .build

# Binds all symbols at the start. To bind one later, the loader saves registers on the stack, and they may
# hold a part of a password.
SWIFT_BUILD = swift build --scratch-path $(SCRATCH) -Xlinker -z -Xlinker now
# One build for `make run`, the tests and the check of imports. Whole modules that are read once, no index, and line tables
# in place of all debugging information make it faster.
FAST = -Xswiftc -gline-tables-only -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
    -Xswiftc -no-emit-module-separately-wmo
DEBUG = $(SWIFT_BUILD) --disable-index-store $(FAST)
TESTS = $(DEBUG) --build-tests --explicit-target-dependency-import-check error
# Installed programs look for no library beside themselves. A build id would depend on the folder of the build. Swift's
# library for regular expressions, and functions that only a plug-in could call, would be a sixth of each program.
RELEASE = $(SWIFT_BUILD) -c release --static-swift-stdlib --disable-local-rpath -debug-info-format none \
    -Xlinker --build-id=none -Xlinker --no-export-dynamic \
    -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
BIN = $(SCRATCH)/release
# This folder has the libraries that tests need.
TOOLCHAIN = $(shell dirname "$$(dirname "$$(readlink -f "$$(command -v swift)")")")
TUTORIALS = docs/Tutorials.docc
PROGRAMS = busd viewctl scoreboard books busd-login busd-web
SWIFT_FILES = Package.swift Sources Tests $(foreach example,Counter Shopping Timer, \
    $(addprefix Examples/$(example)/,Package.swift Sources Tests))

help:
	@echo "Use"
	@echo "  make run                keep the score of a game, now, in this terminal"
	@echo "  make view               show that game large, in a second terminal"
	@echo "  make play               play that game, in a second terminal"
	@echo "  make house              play a game on three daemons that share a log in Redis, and kill one"
	@echo "  make try                build the programs for the example with socat in README.md"
	@echo "  make build              build $(PROGRAMS), optimised"
	@echo "  make install            install programs, units, man pages and completions (PREFIX, DESTDIR)"
	@echo "  make uninstall          remove the files of make install (PREFIX, DESTDIR)"
	@echo "  make deb                build the Debian packages busd and busd-web, into $(SCRATCH)"
	@echo "  make new-kind           write a kind of view model, or a package of one (NAME; IN=FOLDER, DURABLE=1, SMALL=1)"
	@echo
	@echo "Test"
	@echo "  make test               run all suites of the debug build"
	@echo "  make test-all           run make test, make test-rest and make test-applications"
	@echo "  make test-rest          run the next seven"
	@echo "  make test-units         boot the systemd units in a container (as root)"
	@echo "  make test-sandbox       run the system tests with daemons in the sandbox of the units (as root)"
	@echo "  make test-schedules     run more random schedules, kills and damage than make test"
	@echo "  make test-package       check the Debian packages, and install, upgrade and remove them in a container (root)"
	@echo "  make test-examples      test the example packages, and kinds made by make new-kind"
	@echo "  make test-release       test the optimised programs"
	@echo "  make test-instructions  fail if a delivery takes more instructions than recorded, or a text stalls the daemon"
	@echo "  make test-applications  delete applications from a copy of the tree, and build, test and run the rest"
	@echo "  make compare            run the programs of two builds side by side (OLD; REQUESTS)"
	@echo "  make test-bars          show a game with hostile names in polybar, Waybar and i3blocks, and compare pictures"
	@echo "  make test-web           test busd-web in Chromium and WebKit, with axe, behind proxies, and under attack"
	@echo "  make torture            test random schedules (SCHEDULES), kills and full disks (ROUNDS), damage (DAMAGES)"
	@echo "  make sanitize           run all suites under the address and the thread sanitizer (SANITIZERS)"
	@echo "  make fuzz               search for input that crashes or hangs the daemon (RUNS, TARGETS)"
	@echo
	@echo "Work on busd"
	@echo "  make check              check format, imports, house rules, generated code and pages, documents, pictures, make docs"
	@echo "  make manuals            write docs/man/ from its prose and the tables behind --help, after a change of either"
	@echo "  make pictures           write docs/pictures/*.svg: screens, plots of Benchmarks/RESULTS.md, and drawings"
	@echo "  make recording          record docs/pictures/one-game.webp: a game in a terminal and two browsers"
	@echo "  make docs               build a site of the public types, tutorials and man pages, into $(SCRATCH)/docs"
	@echo "  make docs-site          the same, without a build of the programs before it"
	@echo "  make clean              remove all build output"
	@echo
	@echo "Measure"
	@echo "  make bench              run the next three"
	@echo "  make bench-bus          measure deliveries, compared with Redis, mosquitto and plain C"
	@echo "  make bench-storage      measure durable sends, compared with SQLite alone"
	@echo "  make bench-house        measure a house of three daemons, compared with one daemon and with Redis alone"
	@echo "  make siege              measure what many, slow, greedy and hostile clients do to the others (CASES)"
	@echo "  make soak               let clients come and go for an hour, and check that memory does not grow (MINUTES)"
	@echo
	@echo "On Debian, missing packages are listed, and then installed with apt-get."

# run-build PROGRAMS SECONDS: brings these programs of the debug build up to date. The hint is for two cores.
run-build = BUSD_PROGRAMS=$(1) scripts/build.sh $(SCRATCH)/build.log "$(subst $(comma),$(comma) ,$(1))" \
    "the first time takes about $(2)" $(DEBUG)
comma := ,

run:
	@scripts/need.sh build run
	@$(call run-build,busd$(comma)scoreboard$(comma)web,1 to 2 minutes)
	@scripts/run.sh $(SCRATCH)/debug

# In a second terminal, beside `make run`.
view play:
	@scripts/run.sh $(SCRATCH)/debug $@

house:
	@scripts/need.sh build run house
	@$(call run-build,busd$(comma)scoreboard$(comma)viewctl,1 to 2 minutes)
	@Examples/House/house.sh $(SCRATCH)/debug

# For the block of README.md.
try:
	@scripts/need.sh build run
	@$(call run-build,busd$(comma)scoreboard$(comma)viewctl,1 to 2 minutes)

# The shell reads the words from the environment, so it obeys nothing in them.
new-kind: export NAME ?=
new-kind: export IN ?=
new-kind:
	@scripts/new-kind.sh $(if $(filter-out 0 no false,$(DURABLE)),--durable) \
	    $(if $(filter-out 0 no false,$(SMALL)),--small) $${IN:+--in "$$IN"} -- "$$NAME"

# Link-time optimisation saves busd a sixth of the instructions per event (Benchmarks/SETTINGS.md). The clients are linked
# without it: they would gain nothing that a user can notice. The linker maps a library again for each object that names it,
# which would be 6 GB, so the libraries are named here once.
LTO = --experimental-lto-mode full -Xlinker --no-dependent-libraries \
    $(foreach library,swiftGlibc swiftSynchronization swift_Concurrency hiredis,-Xlinker -l$(library))
build:
	@scripts/need.sh build
	@BUSD_PROGRAMS=viewctl,scoreboard,books,login,web scripts/build.sh $(SCRATCH)/build.log "the clients, optimised" \
	    "the first time takes about 2 minutes" $(RELEASE)
	@BUSD_PROGRAMS=busd scripts/build.sh $(SCRATCH)/build-busd.log "busd, optimised" \
	    "the first time takes about 2 minutes" $(RELEASE) --scratch-path $(SCRATCH)/lto $(LTO)
	@ln -f $(SCRATCH)/lto/release/busd $(BIN)/busd

# Shows the programs of the build that exists, brought up to date.
pictures: BUILT = $(if $(wildcard $(SCRATCH)/debug/busd),debug,release)
pictures:
	@scripts/need.sh build pictures
	@if [[ $(BUILT) == debug ]]; then $(build-tests); else $(MAKE) build; fi
	@scripts/pictures.sh
	@scripts/pictures.sh $(TUTORIALS)/Resources
	@scripts/plots.sh
	@scripts/screens.sh $(SCRATCH)/$(BUILT)

# The page, a terminal and a phone show one game.
recording: BUILT = $(if $(wildcard $(SCRATCH)/debug/busd),debug,release)
recording:
	@scripts/need.sh build recording
	@if [[ $(BUILT) == debug ]]; then $(build-tests); else $(MAKE) build; fi
	@echo "== recording a game, in about a minute"
	@scripts/recording.sh $(SCRATCH)/$(BUILT)

docs:
	@scripts/need.sh build docs
	@$(build-tests)
	@$(MAKE) docs-site

# From the debug build as it is.
docs-site:
	@scripts/docs.sh $(SCRATCH)/debug $(SCRATCH)/docs

check:
	@scripts/need.sh build docs
	@echo "== check: the format"
	@swift format lint --strict --recursive --parallel $(wildcard $(SWIFT_FILES))
	@echo "== check: the imports, with a build"
	@$(build-tests)
	@echo "== check: the house rules"
	@scripts/house-rules.sh
	@echo "== check: what the parts of the broker show"
	@scripts/part-counts.sh $(SCRATCH)/debug
	@echo "== check: the doc comments of public declarations"
	@scripts/doc-comments.sh $(SCRATCH)/debug
	@echo "== check: the public interface"
	@scripts/public-api.sh $(SCRATCH)/debug --check
	@echo "== check: the code of the events"
	@scripts/event-code.sh --check
	@echo "== check: the man pages"
	@scripts/manuals.sh --check $(SCRATCH)/debug
	@echo "== check: the code in the documents"
	@scripts/quote-files.sh
	@echo "== check: the pictures"
	@scripts/pictures.sh --check
	@scripts/pictures.sh --check $(TUTORIALS)/Resources
	@scripts/plots.sh --check
	@echo "== check: the documentation of the public types"
	@$(MAKE) docs-site
	@echo "== check: passed"

# What a developer runs: the debug build, and all suites. Each group has one line, and its log in $(LOGS).
LOGS = $(SCRATCH)/test
test:
	@scripts/need.sh build run test
	@rm -rf $(LOGS)
	@$(build-tests)
	@$(MAKE) -k -j4 $(SUITES:%=suite-%) 2>$(SCRATCH)/make.log || true
	@scripts/verdict.sh $(LOGS) test $(SUITES)

# The rest: what needs root, containers, the optimised build or more packages.
test-rest:
	@scripts/need.sh build run test test-rest
	@rm -rf $(LOGS)-rest
	@$(build-tests)
	@$(MAKE) -k -j2 LOGS=$(LOGS)-rest $(REST:%=rest-%) 2>$(SCRATCH)/make.log || true
	@scripts/verdict.sh $(LOGS)-rest test-rest $(REST)
# Groups of the optimised build wait for it; the others run meanwhile.
OPTIMISED = test-units test-package test-instructions test-release
REST = build test-examples test-sandbox test-schedules $(OPTIMISED)
rest-%:
	@scripts/group.sh $(LOGS) $* $(MAKE) $* TESTS_ARE_BUILT=1
$(OPTIMISED:%=rest-%): rest-build

test-all:
	@$(MAKE) test
	@$(MAKE) test-rest
	@$(MAKE) test-applications

build-tests = scripts/build.sh $(SCRATCH)/build.log tests "the first time takes about 5 minutes" $(TESTS)

# A group of the suite. A run has a thread for each core, and most tests wait for processes, so groups run side by side.
SUITES = $(if $(BUSD_TESTS),rooms,system houses waiting others)
suite-%:
	@scripts/group.sh $(LOGS) $* $(SCRATCH)/debug/busdPackageTests.xctest \
	    --testing-library swift-testing --attachments-path $(LOGS)/pictures $(GROUP_$*)
WAITING = (TortureTests|DaemonTests|RedisLogTests|BusClientTests)
HOUSES = SystemTests\.(House|Hostile|Machine|Replay|SSH|Web)
GROUP_system = --filter '^SystemTests\.' --skip '^$(HOUSES)'
GROUP_houses = --filter '^$(HOUSES)'
GROUP_waiting = --filter '^$(WAITING)\.'
GROUP_rooms =
GROUP_others = --skip '^(SystemTests|$(WAITING))\.'

# The example packages, and new kinds in the same scratch folder. They need the index, to find tests.
test-examples:
	@scripts/examples-test.sh $(SCRATCH)/examples $(FAST)
	@scripts/new-kind-test.sh $(SCRATCH)/examples $(FAST)

# An application is two folders and the lines that register it: nothing else may need it.
test-applications:
	@scripts/without-applications.sh $(SCRATCH)/without --disable-index-store $(FAST)

# Boots the units in a container, which needs root.
test-units:
	@reason=$$(scripts/nspawn-test.sh --why-not); \
	if [[ -n $$reason ]]; then echo "== test: skipped: the units in a real systemd: $$reason"; \
	else $(MAKE) build && echo "== test: booting the units" && \
	    scripts/nspawn-test.sh $(BIN) scripts/nspawn-probe.sh 600 && \
	    echo "== test: booting a house as in docs/several-machines.md" && \
	    scripts/nspawn-test.sh $(BIN) scripts/nspawn-house.sh 600 --bind-ro=/etc:/machine \
	        --bind-ro="$(CURDIR)/docs/several-machines.md:/page.md"; fi

# The programs of the debug build find Swift's libraries in the folder of the toolchain.
test-sandbox:
	@$(if $(TESTS_ARE_BUILT),,$(build-tests))
	@reason=$$(scripts/nspawn-test.sh --why-not); \
	if [[ -n $$reason ]]; then echo "== test: skipped: the system tests in the units' sandbox: $$reason"; \
	else scripts/nspawn-test.sh $(SCRATCH)/debug scripts/nspawn-suite.sh 3000 --bind-ro="$(CURDIR)" \
	        --bind-ro="$$(readlink -f $(SCRATCH)/debug):/suite" --bind-ro="$(TOOLCHAIN)"; fi

# `make test` has a tenth of the schedules, a quarter of the kills, and a fifth of the damaged stores.
test-schedules:
	@$(if $(TESTS_ARE_BUILT),,$(build-tests))
	@BUSD_SCHEDULES=4000 BUSD_HOUSE_MUTATIONS=1000 BUSD_TORTURE=12 BUSD_DAMAGE=120 \
	    $(SCRATCH)/debug/busdPackageTests.xctest --testing-library swift-testing \
	    --filter 'The simulation|Two scorers|HouseSimulation|HouseFuzz|RedisStream|HouseKill|KillTests|ResumeTests|DamageSweep'

# Without root, the packages are only checked. FROM is a folder with older packages, which are upgraded.
test-package:
	@if ! command -v dpkg-deb >/dev/null; then echo "== test: skipped: the Debian packages: there is no dpkg-deb"; \
	else $(MAKE) deb && echo "== test: checking the Debian packages" && \
	    scripts/deb-check.sh $(SCRATCH)/busd_*.deb $(SCRATCH)/busd-web_*.deb && \
	    reason=$$(scripts/nspawn-package.sh --why-not) && \
	    if [[ -n $$reason ]]; then echo "== test: skipped: the life of the Debian packages: $$reason"; \
	    else for probe in package web; do echo "== test: the life of the Debian packages: $$probe" && \
	        scripts/nspawn-package.sh $(if $(FROM),--from $(FROM)) $(SCRATCH) scripts/nspawn-$$probe-probe.sh \
	            600 || exit; done; fi; fi

# OLD is a folder with the programs of another version.
compare:
	@scripts/need.sh build run test
	@$(build-tests)
	@scripts/compare-programs.sh $(OLD) $(SCRATCH)/debug $(REQUESTS)

manuals:
	@$(build-tests)
	@scripts/manuals.sh $(SCRATCH)/debug

# Tests the optimised build.
test-release:
	@$(MAKE) build
	@echo "== test: texts in the optimised build"
	@scripts/release-test.sh $(BIN)

# Fails if a delivery needs a fiftieth more instructions than recorded, or if a text stalls the daemon.
test-instructions:
	@$(MAKE) build
	@echo "== test: counting instructions"
	@Benchmarks/count-instructions.sh $(BIN)/busd
	@Benchmarks/count-worst-text.sh $(BIN)/busd

# Names the bars that are left out because they cannot be installed. Not in `make test`: the bars need screens.
test-bars:
	@scripts/need.sh build run
	@$(MAKE) build
	@scripts/test-bars.sh $(BIN) $(SCRATCH)/bars

# Names what is left out because it cannot be installed. Not in `make test`: browsers are large.
test-web:
	@scripts/need.sh build run
	@scripts/need.sh web || echo "== test-web: what cannot be installed is left out"
	@$(MAKE) build
	@swift build --package-path Examples/Shopping --scratch-path $(SCRATCH)/examples $(FAST) --product shoppingd
	@scripts/web-test.sh $(BIN) $(SCRATCH)/web-pictures
	@Benchmarks/count-instructions.sh $(BIN)/busd --browsers $(BIN)/busd-web

# `make test` has short forms of these tests. BUSD_SEED and BUSD_TORTURE_SEED replay a run.
torture: ROUNDS ?= 1000
torture: SCHEDULES ?= 2000000
# Every bit takes a day.
torture: DAMAGES ?= 20000
torture:
	@scripts/need.sh build run test
	@echo "== torture: building the simulation, optimised"
	@swift build --scratch-path $(SCRATCH)/optimised -c release -Xswiftc -enable-testing --build-tests
	@for ((first = 0, left = $(SCHEDULES); left > 0; first += count, left -= count)); do \
	    count=$$((left < 100000 ? left : 100000)); \
	    echo "== torture: schedules of the bus, $$first to $$((first + count - 1)) of $(SCHEDULES)"; \
	    BUSD_FIRST_SEED=$$first BUSD_SCHEDULES=$$count \
	        swift test --scratch-path $(SCRATCH)/optimised -c release \
	        -Xswiftc -enable-testing --skip-build --disable-xctest \
	        --filter 'Every client has the current state after a random schedule' || exit; \
	done
	@$(build-tests)
	@echo "== torture: $(ROUNDS) rounds"
	@BUSD_TORTURE=$(ROUNDS) swift test --scratch-path $(SCRATCH) --skip-build --disable-xctest \
	    --filter TortureTests
	@BUSD_TORTURE=$(ROUNDS) swift test --scratch-path $(SCRATCH) --skip-build --disable-xctest \
	    --filter RedisLogTests.HouseKillTests
	@echo "== torture: damaged stores: $(DAMAGES)"
	@BUSD_DAMAGE=$(DAMAGES) swift test --scratch-path $(SCRATCH) --skip-build --disable-xctest \
	    --filter DamageSweepTests
	@$(MAKE) sanitize

# Each sanitizer has its own build folder. The daemons that the tests start are sanitized too.
sanitize: SANITIZERS ?= address thread
sanitize:
	@scripts/need.sh build run test
	@for sanitizer in $(SANITIZERS); do scripts/sanitize.sh $$sanitizer $(SCRATCH)/$$sanitizer || exit; done

# Found inputs stay in $(SCRATCH)/fuzz. Copy inputs that the project should keep into the corpus.
# Comparisons are not traced, which would take six times as long: the dictionary has what tracing would find.
fuzz: RUNS ?= 1000000
fuzz: TARGETS ?= reader words bus
fuzz: FUZZERS = $(SCRATCH)/fuzz
fuzz:
	@scripts/need.sh build
	@echo "== fuzz: building"
	@SWIFT_BACKTRACE=enable=no swift build --scratch-path $(FUZZERS)/build -c release \
	    --static-swift-stdlib --product fuzz --sanitize=fuzzer -Xswiftc -DFUZZER \
	    -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table
	@for target in $(TARGETS); do scripts/fuzz.sh $(FUZZERS) $$target $(RUNS) || exit; done

# Takes some minutes. The cost of deliveries is written to Benchmarks/RESULTS.md, the rest is printed.
bench: bench-bus bench-storage bench-house

bench-bus:
	@scripts/need.sh build bench
	@$(MAKE) build
	@swift build -c release --package-path Benchmarks --scratch-path $(SCRATCH)/bench
	@$(SCRATCH)/bench/release/bench-bus $(BIN) $(SCRATCH)/bench/release/floor Benchmarks/RESULTS.md
	@scripts/plots.sh

# Durable sends, compared with a plain SQLite writer, on the disk of $(SCRATCH).
bench-storage:
	@$(MAKE) build
	@swift build -c release --package-path Benchmarks --scratch-path $(SCRATCH)/bench
	@folder=$$(mktemp -d $(SCRATCH)/bench-XXXXXX) && trap 'rm -rf "$$folder"' EXIT && \
	    $(SCRATCH)/bench/release/bench-storage $(BIN)/busd "$$folder"

# A house of three daemons, compared with one daemon and with the function in Redis alone.
bench-house:
	@scripts/need.sh build bench
	@$(MAKE) build
	@swift build -c release --package-path Benchmarks --scratch-path $(SCRATCH)/bench
	@folder=$$(mktemp -d $(SCRATCH)/bench-XXXXXX) && trap 'rm -rf "$$folder"' EXIT && \
	    $(SCRATCH)/bench/release/bench-house $(BIN)/busd "$$folder"

# Prints a table, in about a minute. Fails only for errors that do not depend on time.
siege:
	@scripts/need.sh build
	@$(MAKE) build
	@swift build -c release --package-path Benchmarks --scratch-path $(SCRATCH)/bench --product siege
	@$(SCRATCH)/bench/release/siege $(BIN)/busd $(CASES)

soak: MINUTES ?= 60
soak:
	@scripts/need.sh build
	@$(MAKE) build
	@swift build -c release --package-path Benchmarks --scratch-path $(SCRATCH)/bench --product siege
	@echo "== soak: $(MINUTES) minutes"
	@$(SCRATCH)/bench/release/siege soak $(BIN)/busd $(MINUTES)

# Where each shell looks for the completions of a program.
completions_bash = share/bash-completion/completions/$(1)
completions_zsh = share/zsh/site-functions/_$(1)
completions_fish = share/fish/vendor_completions.d/$(1).fish
completions = $(DESTDIR)$(PREFIX)/$(call completions_$(2),$(1))

# Installs the output of `make build`, so root does not need Swift: make build && sudo make install
install:
	@[[ -x $(BIN)/busd ]] || $(MAKE) build
	@echo "== installing into $(DESTDIR)$(PREFIX)"
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/systemd/system \
	    $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/share/doc/busd $(DESTDIR)$(PREFIX)/share/doc/busd-web
	@for program in $(PROGRAMS); do install -s -m 755 $(BIN)/$$program \
	    $(DESTDIR)$(PREFIX)/bin/$$program && scripts/clear-hashes.sh $(DESTDIR)$(PREFIX)/bin/$$program || exit; done
	@for page in docs/man/*.[1-8]; do \
	    install -D -m 644 "$$page" "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}" || exit; \
	done
	@for program in $(PROGRAMS); do \
	    $(BIN)/$$program --completion bash | install -D -m 644 /dev/stdin $(call completions,$$program,bash) && \
	    $(BIN)/$$program --completion zsh | install -D -m 644 /dev/stdin $(call completions,$$program,zsh) && \
	    $(BIN)/$$program --completion fish | install -D -m 644 /dev/stdin $(call completions,$$program,fish) || exit; \
	done
	@install -m 644 systemd/*.service systemd/*.socket $(DESTDIR)$(PREFIX)/lib/systemd/system
	@for user in busd busd-web; do \
	    install -m 644 systemd/$$user.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/$$user.conf || exit; \
	done
	@install -m 644 systemd/busd-house.conf $(DESTDIR)$(PREFIX)/share/doc/busd
	@install -m 644 systemd/busd-web.policy systemd/busd-web-scoring.conf $(DESTDIR)$(PREFIX)/share/doc/busd-web
	@sed -i 's|/usr/local/bin/|$(PREFIX)/bin/|' $(DESTDIR)$(PREFIX)/lib/systemd/system/busd*.service \
	    $(DESTDIR)$(PREFIX)/share/doc/busd/busd-house.conf $(DESTDIR)$(PREFIX)/share/doc/busd-web/busd-web-scoring.conf
	@echo "Next, as root:      systemctl daemon-reload && systemd-sysusers"
	@echo "For all users:      systemctl enable --now busd.socket busd-view.socket"
	@echo "  and each user:    usermod --append --groups busd USER, then log in again"
	@echo "For one user only:  systemctl enable --now busd@UID.socket busd-view@UID.socket"
	@echo "For browsers:       systemctl enable --now busd-web, then open http://127.0.0.1:8080"

uninstall:
	@echo "== removing from $(DESTDIR)$(PREFIX)"
	@cd $(DESTDIR)$(PREFIX) && rm -fv $(PROGRAMS:%=bin/%) lib/sysusers.d/busd.conf lib/sysusers.d/busd-web.conf \
	    share/doc/busd/busd-house.conf share/doc/busd-web/busd-web.policy share/doc/busd-web/busd-web-scoring.conf \
	    $(foreach program,$(PROGRAMS),$(foreach shell,bash zsh fish,$(call completions_$(shell),$(program)))) \
	    $(patsubst systemd/%,lib/systemd/system/%,$(wildcard systemd/*.service systemd/*.socket)) \
	    $(foreach page,$(notdir $(wildcard docs/man/*.[1-8])),share/man/man$(subst .,,$(suffix $(page)))/$(page))

# Needs no root. The package is built from the output of `make build`.
deb:
	@scripts/need.sh build deb
	@$(MAKE) build
	@echo "== building the Debian packages"
	@packages=$$(scripts/deb.sh $(BIN) $(SCRATCH)) && for package in $$packages; do echo "== built $$package"; \
	    echo "Next, to install it:  sudo apt install $$package"; done

clean:
	@echo "== removing $(SCRATCH)"
	@rm -rf $(SCRATCH) $(foreach example,Counter Shopping Timer,Examples/$(example)/.build)
