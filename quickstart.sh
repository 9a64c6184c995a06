#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ./quickstart.sh        installs what is missing (Debian, Ubuntu), builds, tests an example, prints where the report is
# ./quickstart.sh test   the same set-up, then the whole test suite
# ./quickstart.sh package   the same set-up, then a package for Debian and Ubuntu in the build folder
# ./quickstart.sh dependencies   installs what is missing, and no more
# ./quickstart.sh archive   the same set-up, then an archive for any Linux in the build folder
#
# Environment: BUILD_DIR (default: build), CMAKE_ARGS (more options for cmake), JOBS (default: all cores),
# CXX (default, except for the package: the Clang that is installed above, which compiles faster than GCC).
set -euo pipefail
cd "$(dirname "$0")"

# What GpuTestCheck needs, on Debian 12 or later and Ubuntu with LLVM 19. PoCL is the OpenCL device of
# machines that have no other. For the tests alone: chromium, clang-format, compiler-rt, dpkg-dev, fish, git,
# GoogleTest, lcov, llvm, mkdocs, mypy, patch, pkg-config, python3, pyopencl, pytest, reuse, venv and zsh; for the archive:
# patchelf and zstd; for the Python module: pybind11, NumPy and Python's headers.
packages=(
  g++ cmake ninja-build
  clang-19 llvm-19-dev libclang-19-dev libclang-cpp19-dev
  opencl-headers opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd
  libclc-19 libclc-19-dev
  libcxxopts-dev libfmt-dev libmd-dev libsqlite3-dev libz3-dev nlohmann-json3-dev
  libfftw3-dev liblapacke-dev libopenblas-dev
  catch2 ccache chromium clang-format-19 dpkg-dev fish git lcov libclang-rt-19-dev llvm-19 llvm-19-tools
  make mkdocs mkdocs-material mypy patch patchelf pkg-config python3 libgtest-dev pybind11-dev python3-dev python3-numpy python3-pyopencl python3-pytest python3-venv reuse zsh zstd
)

install_missing() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is no Debian or Ubuntu: please install what corresponds to: ${packages[*]}" >&2
    return
  fi
  local missing=() package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}. Install them as root, then start this again." >&2
      exit 2
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

build=$(realpath -m "${BUILD_DIR:-build}")
jobs=${JOBS:-$(nproc)}

# configure_and_build [option…]
configure_and_build() {
  local launcher=() more=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_DEPEND=1 # takes the compiler's word for what is included, and preprocesses nothing first
  fi
  read -ra more <<<"${CMAKE_ARGS:-}"
  # From scratch, several sources at once are four times as fast.
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON "${launcher[@]}" "$@" "${more[@]}"
  cmake --build "$build" --parallel "$jobs"
}

# use_clang: Clang and precompiled headers take 60 % of the time that GCC takes, with the same optimisation.
use_clang() {
  quick=(-DGPUTEST_PRECOMPILED_HEADERS=ON)
  export CCACHE_SLOPPINESS=pch_defines,time_macros # lets ccache keep what is compiled with such headers
  # A build folder keeps its compiler.
  if [[ -z ${CXX:-} && ! -e $build/CMakeCache.txt ]] && command -v clang++-19 >/dev/null; then
    quick+=(-DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19)
  fi
}

case "${1:-}" in
"")
  install_missing
  use_clang
  configure_and_build -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF "${quick[@]}"
  # As a user would: from an installed package, in a project of its own.
  cmake --install "$build" --prefix "$build/installed" >/dev/null
  example=$build/example
  cmake -S examples/partial_sum -B "$example" -G Ninja -DCMAKE_PREFIX_PATH="$build/installed" >/dev/null
  cmake --build "$example" >/dev/null
  # Its faults are found: tests that fail are what the page shows.
  ctest --test-dir "$example" --parallel "$jobs" >"$example/ctest.log" || true
  echo
  (cd examples/partial_sum &&
    "$build/installed/bin/gputest" report "$example/gputest" --html "$example/gputest/report.html")
  echo "All of it: $example/gputest/report.html"
  ;;
test)
  install_missing
  # Tests spend their time in LLVM, Clang and PoCL: what is optimised less is built sooner, and runs as long.
  use_clang
  configure_and_build -DGPUTEST_BUILD_TESTS=ON -DGPUTEST_BUILD_EXAMPLES=ON "${quick[@]}" \
    -DGPUTEST_FAST_BUILD=ON -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"
  # More than there are cores: many tests wait for what must end by itself.
  ctest --test-dir "$build" --output-on-failure --parallel "$((jobs * 2))"
  ;;
dependencies)
  install_missing
  ;;
package)
  install_missing
  # The folder may be that of a build for tests.
  configure_and_build -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF -DGPUTEST_FAST_BUILD=OFF \
    -DGPUTEST_PRECOMPILED_HEADERS=OFF -UCMAKE_CXX_FLAGS_RELEASE
  (cd "$build" && cpack -G DEB)
  ;;
archive)
  install_missing
  use_clang
  configure_and_build -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF -DGPUTEST_FAST_BUILD=OFF "${quick[@]}" \
    -UCMAKE_CXX_FLAGS_RELEASE -DCMAKE_INSTALL_LIBDIR=lib
  packaging/archive.sh "$build" "$build"
  ;;
*)
  sed -n '3,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
