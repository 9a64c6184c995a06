#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packaging/archive.sh <build folder> <folder>: makes <folder>/gputestcheck-<version>-linux-<machine>.tar.zst of a
# built project: what `cmake --install` installs, and what it needs of Clang, LLVM and other libraries. The archive
# can be unpacked anywhere, without root. Its machine needs glibc 2.36 and a C++ compiler. PoCL is not in it: kernels
# run in the simulator, or on the OpenCL devices that the machine has.
#
# Needs patchelf. The licences of what is brought along are in share/doc/gputestcheck/bundle.
set -euo pipefail
(($# == 2)) || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
command -v patchelf >/dev/null || { echo "error: patchelf is needed (Debian and Ubuntu: apt install patchelf)" >&2; exit 2; }

# of_cache <name>: a variable of the build folder
of_cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
[[ $(of_cache CMAKE_INSTALL_LIBDIR) == lib ]] || { echo "error: configure $build with -DCMAKE_INSTALL_LIBDIR=lib" >&2; exit 2; }
version=$(of_cache CMAKE_PROJECT_VERSION)
name=gputestcheck-$version-linux-$(uname -m)
rm -rf "${out:?}/$name"
cmake --install "$build" --prefix "$out/$name" --strip >/dev/null
bundle=$out/$name/lib/gputest/bundle
mkdir -p "$bundle"/{bin,lib,clc}

brought=() # files of the system that are copied
# bring <file> <place in the bundle>
bring() {
  brought+=("$(realpath "$1")")
  cp -L "$1" "$bundle/$2"
}

# Clang, for CUDA; it finds its headers from where it is.
clang=$(realpath "$(of_cache GPUTEST_CLANG)")
resources=$("$clang" -print-resource-dir)
bring "$clang" bin/clang
ln -s clang "$bundle/bin/clang++"
mkdir -p "$bundle/lib/clang"
cp -rL "$resources" "$bundle/lib/clang/tmp"
rm -rf "$bundle/lib/clang/tmp/lib" # the sanitizers' libraries
mv "$bundle/lib/clang/tmp" "$bundle/lib/clang/$(basename "$resources")"
brought+=("$resources/include/stddef.h")
bring "$(of_cache GPUTEST_LIBCLC)" clc/nvptx64--.bc
# OpenCL's headers, which gputest/*.h include.
cp -rL "$(of_cache OpenCL_INCLUDE_DIR)/CL" "$out/$name/include/CL"
brought+=("$(of_cache OpenCL_INCLUDE_DIR)/CL/cl.h")

# programs: each ELF file of the archive
programs() {
  find "$out/$name" -type f \( -perm -u+x -o -name '*.so*' \) -print0 |
    while IFS= read -r -d '' file; do
      [[ $(head -c 4 "$file" | tail -c 3) == ELF ]] && printf '%s\n' "$file"
    done
}

# Libraries, except those that a C++ compiler has anyway.
while IFS= read -r library; do
  bring "$library" lib/
done < <(programs | xargs -d '\n' ldd 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev "^$out/|/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so")

# Each file finds the libraries from where it is, before the machine's own. An old-style run path also holds for
# what a library needs in turn.
while IFS= read -r file; do
  patchelf --force-rpath --set-rpath "\$ORIGIN/$(realpath --relative-to="$(dirname "$file")" "$bundle/lib"):\$ORIGIN/$(realpath \
    --relative-to="$(dirname "$file")" "$out/$name/lib")" "$file"
done < <(programs)

# The licences, from the packages that the files are of.
licences=$out/$name/share/doc/gputestcheck/bundle
mkdir -p "$licences"
for file in "${brought[@]}"; do
  package=$(dpkg-query -S "$file" "/usr$file" "${file#/usr}" 2>/dev/null | head -1 | cut -d: -f1) || true
  [[ -n $package && -e /usr/share/doc/$package/copyright ]] || { echo "error: no package has $file, so its licence is not known" >&2; exit 1; }
  cp -L "/usr/share/doc/$package/copyright" "$licences/$package"
done

# The same bytes for the same build.
(cd "$out" && find "$name" -print0 | sort -z | tar --null --no-recursion -T - --owner=0 --group=0 --numeric-owner \
  --mtime=@"${SOURCE_DATE_EPOCH:-0}" -c | zstd -q -f -T0 "-${GPUTEST_ARCHIVE_LEVEL:-19}" -o "$name.tar.zst")
rm -rf "${out:?}/$name"
echo "$out/$name.tar.zst"
