# Machines that have nothing: minimal systems in memory, in which commands run as on a machine of their own; tests source it.
# shellcheck shell=bash
export PATH=$PATH:/usr/sbin

# be_apart MEGABYTES ARGUMENT...: the test starts itself again, with these arguments, in a mount and a process namespace of its
# own, where such a memory is /media: when it ends, however it ends, all of it is gone.
be_apart() {
    local tool child
    if [[ ${BARE_MACHINE_IS_APART-} == yes ]]; then
        mount -t tmpfs -o size="$1m",mode=755 tmpfs /media
        since=$SECONDS
        return
    fi
    [[ $EUID -eq 0 ]] || skip 'only root can make a bare machine'
    for tool in debootstrap git unshare setpriv wget; do
        command -v $tool >/dev/null || skip "no $tool, and so no bare machine"
    done
    [[ $(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo) -ge $1 ]] || skip "less than $1 MB of memory are free, and so no bare machine"
    unshare --mount --pid --fork mount -t tmpfs tmpfs /media 2>/dev/null || skip 'root may not mount here, and so no bare machine'
    BARE_MACHINE_IS_APART=yes setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash "$0" "${@:2}" </dev/null &
    child=$!
    # shellcheck disable=SC2064  # this child
    trap "kill -KILL $child; exit 130" INT
    # shellcheck disable=SC2064
    trap "kill -KILL $child; exit 143" TERM
    wait "$child"
    exit
}

took() { # WHAT
    printf '%4d s: %s\n' $((SECONDS - since)) "$1"
    since=$SECONDS
}

# make_bare RELEASE FOLDER: a minimal Debian or Ubuntu. Packages come from where this machine has them from, if it has any of that
# distribution's.
make_bare() {
    local mirror=http://deb.debian.org/debian of=Debian flags=() script=()
    if [[ $1 == noble ]]; then
        mirror=http://archive.ubuntu.com/ubuntu of=Ubuntu flags=('--components=main,universe')
        [[ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]] || skip 'no keys of Ubuntu (Ubuntu: ubuntu-keyring), and so no bare machine'
        [[ -e /usr/share/debootstrap/scripts/$1 ]] || script=(/usr/share/debootstrap/scripts/gutsy) # what all of Ubuntu's are
    fi
    # shellcheck disable=SC2016  # apt-get's own variables
    mirror=$(apt-get indextargets --format '$(LABEL) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n "s/^$of main //p" | grep . || echo "$mirror")
    mirror=${mirror%%$'\n'*}
    wget -q -O /dev/null --tries=2 --timeout=30 "${mirror%/}/dists/$1/InRelease" || skip "no packages of $1 from $mirror"
    debootstrap --variant=minbase "${flags[@]}" "$1" "$2" "$mirror" "${script[@]}" >/media/log 2>&1 || skip "debootstrap: $(tail -n 1 /media/log)"
    apt-config dump | grep -E '^Acquire::(Check-|http|ftp|Retries|ForceIP)' >"$2/etc/apt/apt.conf.d/00host" || true
    echo 'Acquire::Languages "none";' >"$2/etc/apt/apt.conf.d/01lean"
    mkdir -p "$2/etc/ssl"
    if [[ $mirror == https:* ]]; then cp -rL /etc/ssl/certs "$2/etc/ssl/"; fi
    if [[ -n ${PIP_CERT-} ]]; then cp "$PIP_CERT" "$2/etc/ssl/pip.crt"; fi
    took "a minimal $1 from $mirror"
}

# start BARE: what a running machine has
start() {
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
}

# clone SOURCE COMMIT BARE: what is committed, in root's home
clone() {
    git clone -q --no-local "$1" "$3/root/rungbench"
    git -C "$3/root/rungbench" checkout -q --detach "$2"
}

# inside COMMAND...: in $bare, by the user $who, in the folder $where of the user's home, with more variables in $with
bare='' who=0 where='' with=()
inside() {
    local home=/root name given=("${with[@]}")
    [[ $who == 0 ]] || home=/home/someone
    for name in http_proxy https_proxy PIP_INDEX_URL; do
        [[ -z ${!name-} ]] || given+=("$name=${!name}")
    done
    [[ ! -e $bare/etc/ssl/pip.crt ]] || given+=(PIP_CERT=/etc/ssl/pip.crt)
    # shellcheck disable=SC2016  # of the shell inside
    env -i HOME=$home PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${given[@]}" \
        chroot --userspec="$who:$who" "$bare" bash -c 'cd "$HOME/$0" && exec "$@"' "$where" "$@" >/media/out 2>&1
}

# ends STATUS COMMAND...: with that
ends() {
    local status=0
    inside "${@:2}" || status=$?
    [[ $status -eq $1 ]] || fail "${*:2}: status $status, expected $1:"$'\n'"$(tail -n 40 /media/out)"
    set -- "${*:2}"
    took "${1%%$'\n'*}"
}
works() { ends 0 "$@"; }

# said WHAT PATTERN
said() {
    grep -qE -- "$2" /media/out || fail "$1: no line matches $2 in:"$'\n'"$(tail -n 40 /media/out)"
}
