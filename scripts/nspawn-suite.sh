# Runs inside the machine that nspawn-test.sh boots. /suite has the tests and the daemon of one build. Runs
# the
# system tests with daemons that systemd starts like the shipped unit.
set -uo pipefail
export BUSD_LAUNCHER=/scripts/under-unit.sh HOME=/root LC_ALL=C.UTF-8
echo "skipping InstallTests (man needs its files in /etc) and HouseRulesTests: they start no daemon"
/suite/busdPackageTests.xctest --testing-library swift-testing --filter '^SystemTests\.' \
    --skip '^SystemTests\.(InstallTests|HouseRulesTests)' || exit
echo passed
