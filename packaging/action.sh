#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The steps of action.yml, with its inputs as environment variables.
#
# action.sh install   unpacks ARCHIVE, a path or a URL, or the archive of release VERSION of REPOSITORY
# action.sh run       configures SOURCE into BUILD with PREFIX and CMAKE_OPTIONS, builds, runs LABELS one after the
#                     other, and writes the job's summary; exits with 1 if one of them fails
set -euo pipefail

install() {
  local archive=${ARCHIVE:-} folder
  folder=${RUNNER_TEMP:-/tmp}/gputestcheck
  rm -rf "$folder"
  mkdir -p "$folder"
  if [[ -z $archive ]]; then
    archive=$GITHUB_SERVER_URL/$REPOSITORY/releases/download/$VERSION/gputestcheck-${VERSION#v}-linux-$(uname -m).tar.zst
  fi
  if [[ $archive == *://* ]]; then
    curl --fail --silent --show-error --location --retry 3 --output "$folder.tar.zst" "$archive"
    archive=$folder.tar.zst
  fi
  tar -C "$folder" --strip-components 1 --zstd -xf "$archive"
  "$folder/bin/gputest" --version
  echo "prefix=$folder" >>"$GITHUB_OUTPUT"
}

run() {
  local options=() label failed=()
  read -ra options <<<"${CMAKE_OPTIONS:-}"
  cmake -S "$SOURCE" -B "$BUILD" -DCMAKE_PREFIX_PATH="$PREFIX" "${options[@]}"
  cmake --build "$BUILD" --parallel
  for label in $LABELS; do
    case $label in
    test | fuzz) ctest --test-dir "$BUILD" -L "^$label\$" --output-on-failure --no-tests=ignore 2>&1 | tee "$BUILD/$label.log" ;;
    coverage | check | schedules | mutation | memory) cmake --build "$BUILD" --target "$label" 2>&1 | tee "$BUILD/$label.log" ;;
    *) echo "error: '$label' is no label; they are: test coverage check schedules mutation fuzz memory" >&2 && exit 2 ;;
    esac || failed+=("$label")
    {
      echo "<details><summary>$label: $([[ " ${failed[*]-} " == *" $label "* ]] && echo failed || echo passed)</summary>"
      printf '\n```\n'
      grep -vE '^(\[[0-9 ]+[%/]|Internal ctest|Test project)' "$BUILD/$label.log" | tail -n 200
      printf '```\n\n</details>\n'
    } >>"$GITHUB_STEP_SUMMARY"
  done
  if ((${#failed[@]})); then
    echo "failed: ${failed[*]}" >&2
    exit 1
  fi
}

case "${1:-}" in
install | run) "$1" ;;
*)
  sed -n '3,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
