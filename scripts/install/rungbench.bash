# bash-completion's own reader of --help
complete -F _longopt rungbench rungbench-gate
