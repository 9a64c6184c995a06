"""licences_test.py <checkout>: each source and template names the licence on its first line, or after the line that says
which program reads it. Tests, examples and data are named by .reuse/dep5, because their lines are counted."""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
LICENCE = "Apache-2.0 WITH LLVM-exception"
FOLDERS = ("benchmarks", "cmake", "cuda", "driver", "frontend", "hostgen", "ir", "layer", "memory", "model", "packaging", "passes",
           "process", "program", "python", "report", "runtime", "simulator", "store", "templates", "testgen", ".ci", ".github/workflows")
TOP = ("CMakeLists.txt", "quickstart.sh", "action.yml", "mkdocs.yml", "pyproject.toml")
SUFFIXES = {".cpp", ".h", ".hpp", ".c", ".cl", ".cu", ".cuh", ".def", ".js", ".css", ".html", ".cmake", ".py", ".pyi", ".sh", ".fish",
            ".bash", ".yml"}
LINE = re.compile(r"(//|#|/\*|<!--) SPDX-License-Identifier: (.*?)( \*/| -->)?$")


def needs_line(file):
    return file.suffix in SUFFIXES or file.name == "CMakeLists.txt" or (file.suffix == "" and "cuda/include" in file.as_posix())


def wrong(text):
    """What is wrong with the first lines of a file; None: nothing."""
    lines = text.split("\n", 2)
    first = lines[1] if re.match(r"#!|#compdef", lines[0]) and len(lines) > 1 else lines[0]
    match = LINE.match(first)
    if not match:
        return "names no licence on its first line"
    return None if match.group(2) == LICENCE else f"is of the licence '{match.group(2)}'"


for text, right in ((f"// SPDX-License-Identifier: {LICENCE}\nint i;\n", True), (f"#!/bin/sh\n# SPDX-License-Identifier: {LICENCE}\n", True),
                    (f"/* SPDX-License-Identifier: {LICENCE} */\n", True), ("int i;\n", False), ("", False), ("#!/bin/sh\n", False),
                    ("// SPDX-License-Identifier: MIT\n", False), (f"int i; // SPDX-License-Identifier: {LICENCE}\n", False)):
    if (wrong(text) is None) != right:
        sys.exit(f"licences_test.py judges {text!r} wrongly")

files = [ROOT / name for name in TOP]
for folder in FOLDERS:
    files += [file for file in sorted((ROOT / folder).rglob("*")) if needs_line(file) and file.is_file() and not file.is_symlink()]
problems = [f"{file.relative_to(ROOT)} {problem}" for file in files if "__pycache__" not in file.parts
            for problem in [wrong(file.read_text())] if problem]
if len(files) < 1500:
    problems.append(f"only {len(files)} files were looked at: which folders are new?")
for folder in ROOT.iterdir():
    if folder.is_dir() and folder.name not in FOLDERS and any(folder.rglob("*.cpp")) and not folder.name.startswith((".", "build", "tests", "examples")):
        problems.append(f"{folder.name}/ is not looked at")
dep5 = (ROOT / ".reuse" / "dep5").read_text()
if f"Files: *\nCopyright: The GpuTestCheck authors\nLicense: {LICENCE}\n" not in dep5:
    problems.append(".reuse/dep5 does not name the licence of all other files")
if shutil.which("reuse") and (ROOT / ".git").exists():
    ran = subprocess.run(["reuse", "--root", ROOT, "lint"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode:
        problems.append(ran.stdout)
print("\n".join(problems))
sys.exit(1 if problems else 0)
