#!/usr/bin/env bash
# What docs/install.md promises, on machines that have nothing: a package is made on a minimal system of its distribution, twice the
# same bytes, and installed on another, where somebody who is not root uses all of it; upgraded and removed, it leaves what the page
# names. A wheel that Debian 12 has made is used on Debian 13, which has no compiler.
# Usage: test_bare_package.sh RUNGBENCH SOURCE_DIR bookworm|trixie|noble|wheel; exit status 77 without root, debootstrap, memory or a
# mirror, and unless all tests are asked for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bare_machine.sh"
at_length || skip 'packages on bare machines take long (scripts/test.sh --all)'
commit=$(git -C "$2" rev-parse --verify 'HEAD^{commit}' 2>&1) || skip "no commit for a bare machine: $commit"
be_apart 8000 "$@"
source=$2
user=/media/user maker=/media/maker
installed=/usr/share/rungbench

as_root() { who=0 where=''; }
as_somebody() { who=1000 where=here; }
apt_get() { works apt-get -qq "$1" -y --no-install-recommends "${@:2}"; }

# make_twice KIND FILE: what scripts/package.sh makes of a clone in $maker, as FILE
make_twice() {
    local made=$maker/root/rungbench/build-package
    bare=$maker who=0 where=''
    start $maker
    clone "$source" "$commit" $maker
    apt_get install git
    where=rungbench
    works scripts/package.sh "$1"
    mkdir -p "$(dirname "$2")"
    cp "$made"/rungbench*."${2##*.}" "$2"
    rm -rf "$made" "$maker/root/rungbench/build-wheel"
    works scripts/package.sh "$1"
    cmp "$made"/rungbench*."${2##*.}" "$2" || fail "two builds of one commit make two packages ($1)"
}

end() { # BARE
    umount -R "$1/proc" "$1/dev"
    rm -rf --one-file-system "$1"
}

# let_somebody_in: to $user, where $bare is from then on
let_somebody_in() {
    start $user
    bare=$user
    as_root
    works useradd -m -s /bin/bash someone
    as_somebody
    mkdir $user/home/someone/{here,.cache}
    chown 1000:1000 $user/home/someone/{here,.cache}
}

# list_files FILE: all but the user's own, of the kinds that docs/install.md names, and what dpkg, apt-get and their triggers keep
list_files() {
    find $user -xdev -regextype egrep -regex "$user/(dev|proc|var/log|var/lib/(dpkg|apt)|var/cache/(apt|debconf|ldconfig|man)|home/someone/(here|\.cache/rungbench))" \
        -prune -o -path $user/etc/ld.so.cache -o -type d -printf '%y %m %u %p\n' -o -printf '%y %m %u %s %T@ %l %p\n' | sort >"$1"
}

# measure_smoke: all of the suite, and a simulated rung
measure_smoke() {
    works "$1" --verify --suite=smoke --filter='^dot/.*/sim_fused/'
    works "$1" --suite=smoke --min-time=0.001 --out=smoke.csv
    said 'suite smoke' ' measured.* 0 wrong'
    awk -F, '$10 != "ok" && $10 != "skipped" { print $2, $10, $11 }' $user/home/someone/here/smoke.csv | sed 1d
}

use_package() {
    as_somebody
    works man -P cat rungbench
    said 'the manual page' '--modes='
    # shellcheck disable=SC2016  # of the shell that completes
    works bash -c 'source /usr/share/bash-completion/bash_completion
        COMP_WORDS=(rungbench --mod) COMP_CWORD=1 COMP_LINE="rungbench --mod" COMP_POINT=15
        if declare -F _comp_load >/dev/null; then _comp_load rungbench || true; else _completion_loader rungbench || true; fi
        complete -p rungbench && eval "$(complete -p rungbench | sed -E "s/.*-F ([^ ]*) .*/\1/") rungbench --mod rungbench"; echo "${COMPREPLY[@]}"'
    said 'completion' '^--modes='
    works rungbench --list
    works rungbench --filter=matmul/mnist/ --modes=cold --min-time=0.001
    works rungbench --suite=none --shape=1000x784x32 --min-time=0.001 --rounds=6 --out=rows.csv
    works rungbench gate rows.csv rows.csv
    works rungbench plot --compare rows.csv rows.csv compared
    works rungbench history add rows.csv --into=kept
    works rungbench history show --from=kept changes
    works rungbench --kernel=$installed/docs/examples/tiled.cu --simulate
    ends 1 rungbench --kernel=$installed/docs/examples/missing_barrier.cu --simulate
    awk '/^```cuda/ { inside = 1; next } /^```/ { exit } inside' $user/usr/share/doc/rungbench/docs/own-kernel.md >$user/home/someone/here/mine.cu
    works rungbench --kernel=mine.cu --shape=64x64x64 --simulate
    said 'a kernel of the own' 'kernel_mine: correct'
    works cmake -S $installed/docs/examples/library -B mine
    works cmake --build mine
    works mine/gemv_t --modes=cold --min-time=0.001
    works rungbench record box --steps=info
    measure_smoke rungbench
    works rungbench plot smoke.csv drawn
    [[ -s $user/home/someone/here/drawn/report.html ]] || fail "no page of the results"
}

# make_package DISTRIBUTION: of two commits, the first one twice
make_package() {
    make_bare "$1" $user
    cp -a $user $maker
    make_twice deb /media/first/rungbench.deb
    works git -c user.name=somebody -c user.email=somebody@example.org commit -q --allow-empty -m later
    works scripts/package.sh
    mkdir /media/later
    cp $maker/root/rungbench/build-package/*.deb /media/later/rungbench.deb
    as_root
    cp /media/first/rungbench.deb $maker/root/
    apt_get install lintian
    works lintian --fail-on error rungbench.deb
    end $maker
}

try_package() { # DISTRIBUTION
    local needs
    make_package "$1"
    let_somebody_in
    cp -r /media/first /media/later $user/root/
    as_root
    # What it names is there before the files are listed, and so are means of this test; what it leaves is its own.
    needs=$(dpkg-deb -f /media/first/rungbench.deb Depends Recommends | cut -d: -f2- | paste -sd,)
    works apt-get -qq satisfy -y --no-install-recommends "$needs"
    apt_get install man-db bash-completion cmake make git
    list_files /media/before
    apt_get install ./first/rungbench.deb
    use_package
    as_root
    apt_get install ./later/rungbench.deb
    # shellcheck disable=SC2016  # of dpkg-query
    [[ $(chroot $user dpkg-query -Wf '${Version}' rungbench) == "$(dpkg-deb -f /media/later/rungbench.deb Version)" ]] || fail 'no upgrade'
    as_somebody
    works rungbench gate rows.csv rows.csv
    as_root
    works apt-get -qq remove -y rungbench
    list_files /media/after
    diff /media/before /media/after || fail 'files are left, or changed'
    end $user
}

# results FACTOR: as Google Benchmark writes them
results() {
    awk -v factor="$1" 'BEGIN {
        printf "{\"context\": {\"host_name\": \"bare\"}, \"benchmarks\": ["
        for (i = 0; i < 20; i++)
            printf "%s{\"name\": \"BM_copy\", \"run_type\": \"iteration\", \"repetition_index\": %d, \"real_time\": %g, \"time_unit\": \"us\"}",
                i ? ", " : "", i, (100 + i % 7) * factor
        print "]}"
    }'
}

try_wheel() {
    local wheel
    make_bare bookworm $maker
    make_twice wheel /media/wheel/made.whl
    wheel=$(basename $maker/root/rungbench/build-package/*.whl)
    cp /media/wheel/made.whl "/media/wheel/$wheel"
    end $maker
    make_bare trixie $user
    let_somebody_in
    as_root
    apt_get install python3-venv gnuplot-nox
    ! inside sh -c 'command -v cc gcc c++ g++ nvcc' || fail "there is a compiler: $(</media/out)"
    as_somebody
    work=$user/home/someone/here
    cp "/media/wheel/$wheel" "$work/"
    results 1 >"$work/base.json"
    results 2 >"$work/slow.json"
    list_files /media/before
    works python3 -m venv fresh
    works fresh/bin/pip install -q --no-cache-dir "${wheel}[charts]"
    measure_smoke fresh/bin/rungbench
    works fresh/bin/rungbench-train --help
    works fresh/bin/rungbench gate base.json base.json
    ends 3 fresh/bin/rungbench-gate base.json slow.json
    works fresh/bin/rungbench plot smoke.csv drawn
    [[ -s $work/drawn/report.html ]] || fail "no page of the results"
    works fresh/bin/pip uninstall -q -y rungbench
    [[ -z $(find "$work/fresh" -iname '*rungbench*') ]] || fail "left in the environment: $(find "$work/fresh" -iname '*rungbench*')"
    list_files /media/after
    diff /media/before /media/after || fail 'files are left, or changed'
    end $user
}

if [[ $3 == wheel ]]; then try_wheel; else try_package "$3"; fi
end_test
