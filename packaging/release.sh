#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packaging/release.sh <folder> <version>: makes all that a release has, on Debian or Ubuntu: the package, the archive,
# the wheel, the sources, NOTES.md from CHANGELOG.md, and SHA256SUMS.
# packaging/release.sh --notes <version>: prints the notes.
set -euo pipefail
(($# == 2)) || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1 version=$2
[[ $folder == --notes ]] || folder=$(realpath -m "$folder")
cd "$(dirname "$0")/.."

here=$(sed -n 's/^project(GpuTestCheck VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if [[ $version != "$here" ]]; then
  echo "error: CMakeLists.txt has version $here, not $version" >&2
  exit 2
fi

# The version's section, without its heading, and without the links at the end.
notes() {
  awk -v heading="## [$version]" 'index($0, "## [") == 1 { inside = index($0, heading) == 1; next } /^\[[^]]*\]: / { next } inside' CHANGELOG.md |
    sed '/./,$!d'
}
if [[ -z $(notes) ]]; then
  echo "error: CHANGELOG.md has no section '## [$version]'" >&2
  exit 2
fi
if [[ $folder == --notes ]]; then
  notes
  exit
fi

mkdir -p "$folder"
out=$folder
BUILD_DIR=build/package ./quickstart.sh package
BUILD_DIR=build/archive ./quickstart.sh archive
cp build/package/*.deb build/archive/*.tar.zst "$out"
GPUTEST_ARCHIVE=$(echo "$out"/*.tar.zst) python3 -c '
import sys
sys.path.insert(0, "packaging")
import backend
backend.build_wheel(sys.argv[1])
backend.build_sdist(sys.argv[1])' "$out"
notes >"$out/NOTES.md"
(cd "$out" && sha256sum gputestcheck* >SHA256SUMS)
