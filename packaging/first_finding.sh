#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packaging/first_finding.sh <install tree>: plays the reader of README.md on a machine without an OpenCL device: copies
# the page's kernel, its reference and its CMakeLists.txt, and looks for the survivor that the page shows. Prints the
# seconds. Needs cmake and a C++ compiler; works in a new folder below $TMPDIR.
set -euo pipefail
(($# == 1)) || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
prefix=$(realpath "$1")
page=$(realpath "$(dirname "$0")/../README.md")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir saxpy
# Blocks of code name their file in a comment on their first line.
awk '/^```/ { inside = !inside; file = ""; first = inside; next }
     inside && first { if (match($0, /^(\/\/|#) saxpy\/[A-Za-z_.]+/)) file = substr($0, index($0, " ") + 1, RLENGTH - index($0, " ")); first = 0 }
     file != "" { print > file }' "$page"
start=$(date +%s%N)
cmake -S saxpy -B build -DCMAKE_PREFIX_PATH="$prefix" >log.txt
cmake --build build >>log.txt
GPUTEST_DEVICE=simulator cmake --build build --target mutation >>log.txt || { cat log.txt >&2; exit 1; }
shown=$(grep '^saxpy\.cl:.* survived' "$page")
grep -F "$shown" log.txt || { cat log.txt >&2; echo "error: README.md's survivor is not found" >&2; exit 1; }
echo "the first finding took $((($(date +%s%N) - start) / 1000000)) ms"
