#!/bin/sh
# Runs nvcc: report.sh NVCC FLAGS... -o OBJECT
# Keeps nvcc's version and output in OBJECT.report, and shows them if nvcc fails.
set -eu
object='' last=''
for argument; do
    if [ "$last" = -o ]; then object=$argument; fi
    last=$argument
done
status=0
{ "$1" --version && "$@"; } >"$object.report" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then cat "$object.report" >&2; fi
exit "$status"
