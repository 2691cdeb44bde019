# Behind csv/csv.awk: prints the rows of a resources.csv with a tab between cells, in the order of `needed`.

BEGIN {
    needed = "rung,kernel,arch,block,dynamic_shared_bytes,registers,static_shared_bytes,stack_bytes,spill_store_bytes," \
             "spill_load_bytes,occupancy_pct,compiler"
    wanted_count = split(needed, wanted, ",")
}

function read_header(    i) {
    for (i = 1; i <= wanted_count; i++)
        if (!(wanted[i] in column))
            fail(2, "no column `" wanted[i] "'; expected a file that scripts/resources.sh --record wrote")
}

function expect(name, pattern, what) {
    if (get(name) !~ pattern)
        fail_line(name " is " shorten(get(name)) "; expected " what)
}

function read_row(    i, id, line) {
    for (i = 1; i <= wanted_count; i++)
        if (wanted[i] ~ /_bytes$|^registers$/ && wanted[i] != "dynamic_shared_bytes")
            expect(wanted[i], "^[0-9]+$", "a whole number")
    expect("rung", "^[a-z0-9_]+/[a-z0-9_]+$", "an operation and a rung")
    expect("kernel", ".", "a kernel")
    expect("arch", "^sm_[0-9]+[af]?$", "an architecture such as sm_90a")
    expect("compiler", "^[0-9]+[.][0-9.]+$", "a version of nvcc")
    if (get("block") != "") { # else no launch of the kernel was seen
        expect("block", "^[0-9]+x[0-9]+x[0-9]+$", "a block such as 32x8x1, or nothing")
        expect("dynamic_shared_bytes", "^[0-9]+$", "a whole number, as there is a block")
        expect("occupancy_pct", "^[0-9]+[.][0-9]$", "a percentage such as 66.7, as there is a block")
    } else {
        expect("dynamic_shared_bytes", "^$", "nothing, as there is no block")
        expect("occupancy_pct", "^$", "nothing, as there is no block")
    }
    id = get("rung") " " get("kernel") " " get("arch")
    if (seen[id]++)
        fail_line(id " stands there twice; expected each once, under a name of its own")
    if (compiler != "" && get("compiler") != compiler)
        fail_line("is nvcc " get("compiler") "'s, above it are those of " compiler "; expected one compiler's")
    compiler = get("compiler")
    for (i = 1; i <= wanted_count; i++)
        line = line (i > 1 ? "\t" : "") get(wanted[i])
    print line
}
