#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packaging/pre_commit.sh [<build folder>]: builds, and runs the checks of kernels and their tests in the simulator.
set -euo pipefail
build=${1:-build}
if [[ ! -e $build/CMakeCache.txt ]]; then
  echo "error: $build is no build folder; configure the project, or give the hook its folder with 'args'" >&2
  exit 2
fi
cmake --build "$build" >/dev/null
GPUTEST_DEVICE=${GPUTEST_DEVICE:-simulator} ctest --test-dir "$build" -L '^(test|check)$' --output-on-failure --no-tests=error --parallel "$(nproc)"
