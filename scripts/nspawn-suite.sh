# Runs inside the machine that nspawn-test.sh boots, where /suite has the tests and the daemon of one build:
# the system's tests, with daemons that systemd runs as it does the shipped unit.
set -uo pipefail
export BUSD_LAUNCHER=/scripts/under-unit.sh HOME=/root LC_ALL=C.UTF-8
echo "left out: InstallTests, for which man wants its files in /etc, and HouseRulesTests: neither starts a daemon"
/suite/busdPackageTests.xctest --testing-library swift-testing --filter '^SystemTests\.' \
    --skip '^SystemTests\.(InstallTests|HouseRulesTests)' || exit
echo passed
