# What --help lists
for program in rungbench rungbench-gate
    complete -c $program -a "($program --help | string match -gr '^  (--[a-z-]+=?)')"
end
complete -c rungbench -n __fish_is_first_arg -a 'plot gate history record train'
