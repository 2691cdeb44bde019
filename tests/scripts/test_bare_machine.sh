#!/usr/bin/env bash
# The README's commands on a machine that has nothing: a minimal Debian 12, and in it a clone of what is committed. Where one
# develops, what the scripts forget to install is there already; here it is missing.
# Usage: test_bare_machine.sh RUNGBENCH SOURCE_DIR [REVISION]; exit status 77 without root, debootstrap, memory or a mirror, and
# unless all tests are asked for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
revision=${3-HEAD}
export PATH=$PATH:/usr/sbin
bare=/media/bare

# The machine lies in memory, in a mount and a process namespace of its own: when this ends, however it ends, all of it is gone.
if [[ ${BARE_MACHINE_IS_APART-} != yes ]]; then
    [[ ${RUNGBENCH_TEST_ALL-} == 1 || $# -gt 2 ]] || skip 'a bare machine takes minutes (scripts/test.sh --all)'
    [[ $EUID -eq 0 ]] || skip 'only root can make a bare machine'
    for tool in debootstrap git unshare setpriv; do
        command -v $tool >/dev/null || skip "no $tool, and so no bare machine"
    done
    [[ $(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo) -ge 6000 ]] || skip 'less than 6 GB of memory are free, and so no bare machine'
    unshare --mount --pid --fork mount -t tmpfs tmpfs /media 2>/dev/null || skip 'root may not mount here, and so no bare machine'
    commit=$(git -C "$source" rev-parse --verify "$revision^{commit}" 2>&1) || skip "no commit for a bare machine: $commit"
    BARE_MACHINE_IS_APART=yes setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        bash "${BASH_SOURCE[0]}" "$@" </dev/null &
    child=$!
    trap 'kill -KILL "$child"; exit 130' INT
    trap 'kill -KILL "$child"; exit 143' TERM
    wait "$child"
    exit
fi

# Packages come from where this machine has them from, if it is a Debian 12, too.
# shellcheck disable=SC2016  # apt-get's own variables
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^bookworm main //p' | head -n 1)
mirror=${mirror:-http://deb.debian.org/debian}
wget -q -O /dev/null --tries=2 --timeout=30 "${mirror%/}/dists/bookworm/InRelease" || skip "no packages from $mirror"

took() { # WHAT
    printf '%4d s: %s\n' $((SECONDS - since)) "$1"
    since=$SECONDS
}
since=$SECONDS

mount -t tmpfs -o size=6g,mode=755 tmpfs /media
debootstrap --variant=minbase bookworm $bare "$mirror" >/media/log 2>&1 || skip "debootstrap: $(tail -n 1 /media/log)"
mount -t proc proc $bare/proc
mount --rbind /dev $bare/dev
apt-config dump | grep -E '^Acquire::(Check-|http|ftp|Retries|ForceIP)' >$bare/etc/apt/apt.conf.d/00host || true
echo 'Acquire::Languages "none";' >$bare/etc/apt/apt.conf.d/01lean
printf 'path-exclude=/usr/share/%s/*\n' doc man info locale >$bare/etc/dpkg/dpkg.cfg.d/lean
if [[ $mirror == https:* ]]; then cp -rL /etc/ssl/certs $bare/etc/ssl/; fi
git clone -q --no-local "$source" $bare/root/rungbench
git -C $bare/root/rungbench checkout -q --detach "$(git -C "$source" rev-parse "$revision^{commit}")"
took "a minimal Debian 12 from $mirror"

# What is built there is tried for a moment, so it is not optimised: that takes longer than it saves.
inside() { # COMMAND...
    env -i HOME=/root CMAKE_BUILD_TYPE=None PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
        ${https_proxy:+https_proxy="$https_proxy"} chroot $bare bash -c 'cd /root/rungbench && exec "$@"' bash "$@" >/media/out 2>&1
}

# works COMMAND...: it ends well
works() {
    local status=0
    inside "$@" || status=$?
    [[ $status -eq 0 ]] || fail "$*: status $status:"$'\n'"$(tail -n 40 /media/out)"
    took "$*"
}

# said WHAT PATTERN
said() {
    grep -qE -- "$2" /media/out || fail "$1: no line matches $2 in:"$'\n'"$(tail -n 40 /media/out)"
}

# Other rungs need no other packages, and simulated ones take a minute.
works scripts/bench.sh --suite=smoke --filter='^(matmul|grayscale)/.*/(cpu_|openblas)' --min-time=0.01
said 'without git' 'Left out: the git revision, which is unknown .git was not found'
inside build/rungbench --version || true
said 'without git' '^rungbench [0-9.]+ unknown$'
works scripts/gate.sh --cpu-only HEAD HEAD --threshold=1000 -- --filter=grayscale/thumb/cpu_tuned/hot
works scripts/test.sh -R '^test_(statistics|error)$'
said 'the tests' '^[1-9][0-9]* passed, 0 failed'

end_test
