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

# Compilers take much memory for a moment. Where a page fault is dear, as in virtual machines, pages of 2 MB save
# a fifth of their time.
export GLIBC_TUNABLES=${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}

# What GpuTestCheck needs, on Debian 12 or later and Ubuntu with LLVM 19. PoCL is the OpenCL device of
# machines that have no other. For the tests alone: chromium, clang-format, compiler-rt, dpkg-dev, file, fish, git,
# CUB, GoogleTest, lcov, lld, llvm, mkdocs, mypy, patch, pkg-config, python3, pyopencl, pytest, reuse, spirv-tools, Thrust, venv and zsh; for the archive:
# patchelf and zstd; for the Python module: pybind11, NumPy and Python's headers.
packages=(
  g++ cmake ninja-build
  clang-19 llvm-19-dev libclang-19-dev libclang-cpp19-dev
  opencl-headers opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd
  libclc-19 libclc-19-dev
  libcxxopts-dev libfmt-dev libmd-dev libsqlite3-dev libz3-dev nlohmann-json3-dev
  libfftw3-dev liblapacke-dev libopenblas-dev
  catch2 ccache chromium clang-format-19 dpkg-dev file fish git lcov libclang-rt-19-dev libomp-19-dev libcub-dev libthrust-dev lld-19 llvm-19 llvm-19-tools
  llvm-spirv-15 spirv-tools
  make mkdocs mkdocs-material mypy patch patchelf pkg-config python3 libgtest-dev pybind11-dev python3-dev python3-numpy python3-pyopencl python3-pytest python3-venv reuse zsh zstd
)

# fail <message>…: a line for each, and the end.
fail() {
  printf 'error: %s\n' "$1" >&2
  (($# == 1)) || printf '  %s\n' "${@:2}" >&2
  exit 2
}

install_missing() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is no Debian or Ubuntu: please install what corresponds to: ${packages[*]}" >&2
    check_cmake
    return
  fi
  local missing=() package there
  there=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null || true)
  for package in "${packages[@]}"; do
    [[ $'\n'$there$'\n' == *$'\n'"ii $package"$'\n'* ]] || missing+=("$package")
  done
  if ((${#missing[@]})); then
    local as_root=()
    if ((EUID != 0)); then
      command -v sudo >/dev/null ||
        fail "packages are missing, and only root can install them: ${missing[*]}" \
          "as root: apt-get install --no-install-recommends ${missing[*]}" "Then start this again."
      as_root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update -q ||
      fail "apt-get update fails: is there a network? These packages are missing: ${missing[*]}" \
        "Install them where there is one, and start this again. Once they are there, no network is needed."
    for package in "${missing[@]}"; do
      if [[ $package == clang-19 ]] && ! apt-cache show clang-19 >/dev/null 2>&1; then
        fail "this system's packages have no LLVM 19, which GpuTestCheck needs (or 22)" \
          "https://apt.llvm.org has it: wget https://apt.llvm.org/llvm.sh && sudo bash llvm.sh 19" "Then start this again."
      fi
    done
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
      fail "apt-get cannot install all of: ${missing[*]}" "Its own message is above. When they are there, start this again."
  fi
  check_cmake
}

# A CMake of one's own may come before the system's.
check_cmake() {
  command -v cmake >/dev/null || fail "there is no cmake; 3.25 or later is needed" "pip install cmake, or https://cmake.org/download"
  local version
  version=$(cmake --version | sed -n '1s/^cmake version \([0-9]*\.[0-9]*\).*/\1/p')
  if [[ $(printf '%s\n' 3.25 "$version" | sort -V | head -n 1) != 3.25 ]]; then
    fail "$(command -v cmake) is CMake $version; 3.25 or later is needed" "pip install cmake, or https://cmake.org/download"
  fi
}

build=$(realpath -m "${BUILD_DIR:-build}")
jobs=${JOBS:-$(nproc)}

# value_of <variable>: what the build folder's cache has; nothing where there is none.
value_of() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true
}

# A build folder of something else is left alone, and one of another version is configured afresh.
check_build_folder() {
  fresh=()
  [[ -e $build/CMakeCache.txt ]] || return 0
  local source generator version here
  source=$(value_of CMAKE_HOME_DIRECTORY) generator=$(value_of CMAKE_GENERATOR) version=$(value_of CMAKE_PROJECT_VERSION)
  here=$(sed -n 's/^project(GpuTestCheck VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
  if [[ $(realpath -m "${source:-$PWD}") != "$(realpath "$PWD")" || ${generator:-Ninja} != Ninja ]]; then
    fail "$build is the build folder of ${source:-something else}, with ${generator:-another generator}" \
      "Remove it, or choose another: BUILD_DIR=build2 $0"
  fi
  if [[ ${version:-$here} != "$here" ]]; then
    echo "$build is of version $version: it is configured afresh for $here"
    fresh=(--fresh)
  fi
}

# of_disk <command>…: runs it. If it fails and the disk is full, that is said.
of_disk() {
  "$@" && return
  local result=$? free
  free=$(df --output=avail -k "$build" | tail -n 1)
  if ((free < 20000)); then
    fail "the disk of $build is full: $((free / 1024)) MB are free, and a build takes about 2,000" \
      "Make room and start this again: it goes on with what is built already."
  fi
  exit "$result"
}

# Tenths of a second of a core that a step takes, on the average: 10.5 minutes for 240 steps.
tenths_of_a_step=26

# built: a hash of what Ninja has built so far.
built() {
  grep -vE 'verify_globs|build[.]ninja' "$build/.ninja_log" 2>/dev/null |
    awk -F '\t' '{ last[$4] = $3 " " $5 } END { for (file in last) print file, last[file] }' | sort | md5sum || true
}

# configure_and_build [option…]: sets nothing_new if all had been done before.
configure_and_build() {
  local launcher=() compiler=() more=() asked steps before
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_DEPEND=1 # takes the compiler's word for what is included, and preprocesses nothing first
  fi
  read -ra more <<<"${CMAKE_ARGS:-}"
  check_build_folder
  # A build folder keeps its compiler.
  if [[ ${wants_clang:-} && -z ${CXX:-} && (${fresh[*]} || ! -e $build/CMakeCache.txt) ]] && command -v clang++-19 >/dev/null; then
    compiler=(-DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19)
  fi
  # Ninja starts CMake again by itself when the project changes.
  asked="$(cmake --version | head -n 1) ${launcher[*]} $* ${CMAKE_ARGS:-}"
  if [[ ${fresh[*]} || ! -e $build/build.ninja || $(cat "$build/quickstart.options" 2>/dev/null) != "$asked" ]]; then
    # From scratch, several sources at once are four times as fast.
    mkdir -p "$build"
    of_disk cmake "${fresh[@]}" -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON "${compiler[@]}" "${launcher[@]}" "$@" "${more[@]}"
    echo "$asked" >"$build/quickstart.options" || true
  fi
  before=$(built)
  steps=$(($(ninja -C "$build" -t commands 2>/dev/null | wc -l || true) - $(cut -f 4 "$build/.ninja_log" 2>/dev/null | sort -u | wc -l || true)))
  if ((steps > 10)); then
    echo "Building: $steps steps, about $(((steps * tenths_of_a_step / 10 / jobs + 59) / 60)) minutes with $jobs jobs (less with a full compiler cache)"
  fi
  NINJA_STATUS="[%p %f/%t, %e s] " of_disk cmake --build "$build" --parallel "$jobs"
  nothing_new=
  [[ $(built) != "$before" ]] || nothing_new=1
}

# use_clang: Clang and precompiled headers take 60 % of the time that GCC takes, with the same optimisation.
use_clang() {
  quick=(-DGPUTEST_PRECOMPILED_HEADERS=ON)
  export CCACHE_SLOPPINESS=pch_defines,time_macros # lets ccache keep what is compiled with such headers
  wants_clang=1
}

case "${1:-}" in
"")
  install_missing
  use_clang
  configure_and_build -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF "${quick[@]}"
  # As a user would: from an installed package, in a project of its own.
  example=$build/example
  if [[ ! $nothing_new || ! -e $example/ctest.log ]]; then
    rm -f "$example/ctest.log"
    of_disk cmake --install "$build" --prefix "$build/installed" >/dev/null
    of_disk cmake -S examples/partial_sum -B "$example" -G Ninja -DCMAKE_PREFIX_PATH="$build/installed" >/dev/null
    of_disk cmake --build "$example" >/dev/null
    # Its faults are found: tests that fail are what the page shows.
    ctest --test-dir "$example" --parallel "$jobs" >"$build/ctest.log" || true
    mv "$build/ctest.log" "$example/ctest.log"
  fi
  echo
  (cd examples/partial_sum &&
    "$build/installed/bin/gputest" report "$example/gputest" --html "$example/gputest/report.html")
  echo "All of it: $example/gputest/report.html"
  ;;
test)
  install_missing
  # Tests spend their time in LLVM, Clang and PoCL: what is optimised less is built sooner, and runs as long.
  use_clang
  configure_and_build -DGPUTEST_BUILD_TESTS=ON -DGPUTEST_BUILD_EXAMPLES=ON -DGPUTEST_BUILD_BENCHMARKS=ON "${quick[@]}" \
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
