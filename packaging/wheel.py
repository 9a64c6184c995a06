#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of an unpacked archive (archive.sh): the Python module gputest, the commands, and the rest below the prefix.

    wheel.py <unpacked archive> <folder>     prints the wheel's path

`pip install` puts the tree into the prefix of its environment: bin/gputest, lib/gputest, lib/cmake/GpuTestCheck. So
`cmake -DCMAKE_PREFIX_PATH=<venv>` finds the package there, too. The wheel is for one version of Python, which the
module was built for, and for glibc 2.36.
"""
import base64
import csv
import hashlib
import io
import os
import pathlib
import platform
import re
import sys
import zipfile

SUMMARY = "Runs, checks and measures GPU kernels (OpenCL C, CUDA) in tests"


def version_of(checkout):
    return re.search(r"project\(GpuTestCheck VERSION ([0-9.]+)", (checkout / "CMakeLists.txt").read_text()).group(1)


def main(tree, folder):
    """Returns the wheel's path."""
    modules = list((tree / "lib" / "gputest" / "python").glob("gputest.cpython-*.so"))
    if len(modules) != 1:
        sys.exit(f"error: {tree}/lib/gputest/python has {len(modules)} modules, and a wheel needs one: build with pybind11")
    python = "cp" + re.search(r"cpython-(\d+)", modules[0].name).group(1)
    here = pathlib.Path(__file__).resolve().parent
    version = version_of(here.parent)
    name, tag = f"gputestcheck-{version}", f"{python}-{python}-manylinux_2_36_{platform.machine()}"

    files = {}  # a path in the wheel to bytes and whether they can be executed
    for file in sorted(tree.rglob("*")):  # links become copies: wheels have none
        relative = file.relative_to(tree)
        if file.is_file():
            files[f"{name}.data/data/{relative}"] = (file.read_bytes(), os.access(file, os.X_OK))
    # Beside other modules as well: from there the environment's lib/ is two folders up, as from its own folder.
    files[modules[0].name] = (modules[0].read_bytes(), True)
    for file in sorted((here.parent / "python").glob("gputest*.py")):
        files[file.name] = (file.read_bytes(), False)
    files[f"{name}.dist-info/entry_points.txt"] = ((here.parent / "python" / "entry_points.txt").read_bytes(), False)
    files["gputest.pyi"] = ((here.parent / "python" / "gputest.pyi").read_bytes(), False)
    files[f"{name}.dist-info/METADATA"] = (
        (f"Metadata-Version: 2.1\nName: gputestcheck\nVersion: {version}\nSummary: {SUMMARY}\n"
         "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.8\nRequires-Dist: numpy\n"
         "Description-Content-Type: text/markdown\n\n").encode() + (here.parent / "docs" / "python.md").read_bytes(), False)
    files[f"{name}.dist-info/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: gputestcheck\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False)
    for text in ("LICENSE", "NOTICE"):
        files[f"{name}.dist-info/{text}"] = ((here.parent / text).read_bytes(), False)

    rows = io.StringIO()
    table = csv.writer(rows, lineterminator="\n")
    for path, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        table.writerow((path, f"sha256={digest}", len(content)))
    table.writerow((f"{name}.dist-info/RECORD", "", ""))
    files[f"{name}.dist-info/RECORD"] = (rows.getvalue().encode(), False)

    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{tag}.whl"
    level = int(os.environ.get("GPUTEST_ARCHIVE_LEVEL", "9"))
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, (content, runs) in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same bytes for the same build
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, min(level, 9))
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
