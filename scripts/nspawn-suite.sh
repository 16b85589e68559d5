# Runs inside the machine that nspawn-test.sh boots. /suite has the tests and the daemon of one build. Runs
# the system tests with daemons that systemd starts like the shipped unit.
set -uo pipefail
export BUSD_LAUNCHER=/scripts/under-unit.sh HOME=/root LC_ALL=C.UTF-8
# The rest starts no daemon with systemd. All these tests have run outside, so a test that is skipped here only does not
# count as skipped (skipped.sh).
rest='ArchitectureName|CommandLine|Document|DocumentLink|EventCode|Expect|FewDescriptors|HostileDaemon|HouseRules|Install'
rest+='|PackageList|Picture|Plot|ProtocolDocument|SSHFlood|ScreenPicture|Skipped|StandardDescriptors|ViewModelFunction'
/suite/busdPackageTests.xctest --testing-library swift-testing --filter '^SystemTests\.' \
    --skip "^SystemTests\\.($rest)Tests/" 2>&1 | sed 's/^/unit: /' || exit
echo passed
