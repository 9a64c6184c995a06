"""quickstart.sh where something is missing: it says what, and goes on the next time.

usage: quickstart_test.py <checkout> <folder>

Programs that stand for the system's come first in PATH. Nothing is installed, and nothing of the project is built.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
TOOLS = ("awk bash basename cat chmod cut date df dirname dd env false grep head id ln ls md5sum mkdir mv nproc printf python3 realpath "
         "rm sed setpriv sh sort tail touch tr true wc").split()
NEEDED = re.search(r"^packages=\(\n(.*?)^\)", (ROOT / "quickstart.sh").read_text(), re.DOTALL | re.MULTILINE)[1].split()

# Configuring writes what CMake and Ninja write; each build is a step more, unless there is nothing to do.
CMAKE = """
echo "cmake $*" >> "$LOG"
case $1 in
--version) echo "cmake version ${CMAKE_IS:-3.25.1}"; exit;;
--build)
  echo "status: $NINJA_STATUS"
  test -e "$2/done" && exit
  if test -n "$FILL"; then dd if=/dev/zero of="$2/object" bs=1M count=100 2>/dev/null && touch "$2/done"; r=$?; rm -f "$2/object"; test $r = 0 || exit 1; fi
  printf '0\\t1\\t2\\tobject\\t%s\\n' "$$" >> "$2/.ninja_log"
  touch "$2/done"; exit;;
--install) mkdir -p "$4/bin"; printf '#!/bin/sh\\necho reported\\n' > "$4/bin/gputest"; chmod +x "$4/bin/gputest"; exit;;
esac
for word in "$@"; do test "$before" = -B && build=$word; before=$word; done
mkdir -p "$build"
test -e "$build/CMakeCache.txt" || printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nCMAKE_GENERATOR:INTERNAL=Ninja\\nCMAKE_PROJECT_VERSION:STATIC=%s\\n' "$PWD" "$VERSION" > "$build/CMakeCache.txt"
touch "$build/build.ninja"
"""
STUBS = {
    "dpkg-query": 'shift 3; for p in "$@"; do case " $MISSING " in *" $p "*) ;; *) echo "ii $p";; esac; done',
    "apt-get": 'echo "apt-get $*" >> "$LOG"; case $1 in update) exit ${NO_NETWORK:-0};; esac; exit ${NO_PACKAGE:-0}',
    "apt-cache": "exit ${NO_LLVM:-0}",
    "cmake": CMAKE,
    "ninja": 'for i in $(seq 0 330 2>/dev/null || echo 1); do echo "step"; done',
    "ctest": "exit 8",
    "clang++-19": "exit 0",
}


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(WORK, ignore_errors=True)
        bin_folder = WORK / "bin"
        bin_folder.mkdir(parents=True)
        for tool in [*TOOLS, "seq"]:
            os.symlink(shutil.which(tool), bin_folder / tool)
        for name, text in STUBS.items():
            self.stub(name, text)
        self.log = WORK / "log"
        self.log.touch()
        self.log.chmod(0o666)
        # The script works where it is.
        self.tree = WORK / "tree"
        (self.tree / "examples/partial_sum").mkdir(parents=True)
        shutil.copy(ROOT / "quickstart.sh", self.tree)
        (self.tree / "CMakeLists.txt").write_text("project(GpuTestCheck VERSION 0.2.0 LANGUAGES C CXX)\n")

    def stub(self, name, text):
        file = WORK / "bin" / name
        file.write_text(f"#!{shutil.which('sh')}\n{text}\n")
        file.chmod(0o755)

    def run_it(self, *arguments, before=(), **environment):
        done = subprocess.run([*before, str(self.tree / "quickstart.sh"), *arguments], cwd=WORK, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=900, check=False,
                              env={"PATH": str(WORK / "bin"), "LOG": str(self.log), "VERSION": "0.2.0", "JOBS": "2", **environment})
        return done.returncode, done.stdout

    def refused(self, parts, **settings):
        code, said = self.run_it(**settings)
        self.assertEqual(code, 2, said)
        for part in parts:
            self.assertIn(part, said)

    def test_nothing_is_missing(self):
        code, said = self.run_it()
        self.assertEqual(code, 0, said)
        self.assertIn("Building: 331 steps, about 8 minutes with 2 jobs", said)
        self.assertIn("status: [%p %f/%t, %e s] ", said)
        self.assertIn("reported\nAll of it: ", said)
        self.assertIn("-DCMAKE_CXX_COMPILER=clang++-19", self.log.read_text())
        self.assertNotIn("apt-get", self.log.read_text())
        # The second time neither CMake nor CTest is asked for anything but the build.
        self.log.write_text("")
        code, said = self.run_it()
        self.assertEqual(code, 0, said)
        self.assertIn("reported\nAll of it: ", said)
        self.assertEqual([line.split()[1] for line in self.log.read_text().splitlines()], ["--version", "--version", "--build"])
        # Other options are configured.
        self.log.write_text("")
        self.assertEqual(self.run_it(CMAKE_ARGS="-DX=1")[0], 0)
        self.assertIn("-DX=1", self.log.read_text())

    def test_packages(self):
        self.assertEqual(self.run_it("dependencies", MISSING="zsh")[0], 0)
        self.assertIn("apt-get install -q -y --no-install-recommends zsh\n", self.log.read_text())
        self.refused(["is there a network?", "are missing: zsh zstd"], MISSING="zsh zstd", NO_NETWORK="100")
        self.refused(["no LLVM 19", "https://apt.llvm.org"], MISSING="clang-19 zsh", NO_LLVM="1")
        self.refused(["apt-get cannot install all of: zsh"], MISSING="zsh", NO_PACKAGE="100")

    def test_no_network_is_needed(self):
        code, said = self.run_it(NO_NETWORK="100")
        self.assertEqual(code, 0, said)

    def test_no_root(self):
        other = ("setpriv", "--reuid=65534", "--clear-groups") if os.geteuid() == 0 else ()
        WORK.chmod(0o755)
        for part in [self.tree, *WORK.parents]:
            if not os.stat(part).st_mode & 0o001:
                self.skipTest(f"others may not read {part}")
        self.refused(["only root can install them: zsh", "as root: apt-get install --no-install-recommends zsh"], before=other, MISSING="zsh")

    def test_another_system(self):
        (WORK / "bin/apt-get").unlink()
        code, said = self.run_it("dependencies", MISSING="zsh")
        self.assertEqual(code, 0, said)
        self.assertIn("This is no Debian or Ubuntu: please install what corresponds to: " + " ".join(NEEDED), said)
        (WORK / "bin/cmake").unlink()
        self.refused(["there is no cmake; 3.25 or later is needed", "pip install cmake"])

    def test_old_cmake(self):
        for version in ("3.24.4", "3.5.1", "2.8.12"):
            self.refused([f"is CMake {version.rsplit('.', 1)[0]}; 3.25 or later is needed", "pip install cmake"], CMAKE_IS=version)
        for version in ("3.25.0", "3.31.2", "4.0.1", "3.25.1-rc2"):
            self.assertEqual(self.run_it("dependencies", CMAKE_IS=version)[0], 0, version)

    def test_build_folders(self):
        self.assertEqual(self.run_it(VERSION="0.1.0")[0], 0)
        cache = self.tree / "build/CMakeCache.txt"
        self.log.write_text("")
        code, said = self.run_it()
        self.assertEqual(code, 0, said)
        self.assertIn("is of version 0.1.0: it is configured afresh for 0.2.0", said)
        self.assertRegex(self.log.read_text(), "cmake --fresh .*-DCMAKE_CXX_COMPILER=clang[+][+]-19")
        cache.write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\nCMAKE_GENERATOR:INTERNAL=Ninja\n")
        self.refused(["is the build folder of /elsewhere", "BUILD_DIR=build2"])
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.tree}\nCMAKE_GENERATOR:INTERNAL=Unix Makefiles\n")
        self.refused(["with Unix Makefiles", "BUILD_DIR=build2"])

    def test_a_full_disk(self):
        disk = WORK / "disk"
        disk.mkdir()
        mount = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
        if subprocess.run([*mount, f"mount -t tmpfs -o size=50m none {disk}"], capture_output=True, check=False).returncode:
            self.skipTest("no file system can be mounted here")
        os.symlink(shutil.which("mount"), WORK / "bin/mount")
        os.symlink(shutil.which("unshare"), WORK / "bin/unshare")
        # Filled until 10 MB are left; then the room is there, and it goes on.
        code, said = self.run_it(before=(*mount, f"""
            mount -t tmpfs -o size=50m none {disk}
            dd if=/dev/zero of={disk}/others bs=1M count=40 2>/dev/null
            FILL=1 "$0"; echo "first: $?"
            mount -o remount,size=200m {disk}
            FILL=1 "$0"; echo "second: $?" """), BUILD_DIR=str(disk / "build"))
        first, _, second = said.partition("first: ")
        self.assertEqual(code, 0, said)
        self.assertRegex(first, "error: the disk of .*/build is full: [0-9]+ MB are free")
        self.assertIn("it goes on with what is built already", first)
        self.assertTrue(second.startswith("2\n"), said)
        self.assertIn("reported\nAll of it: ", second)
        self.assertIn("second: 0", second)

    def test_a_build_that_fails(self):
        """For another reason: the message is the compiler's."""
        self.stub("cmake", 'test "$1" = --build && { echo "x.cpp: error"; exit 1; }\n' + CMAKE)
        code, said = self.run_it()
        self.assertEqual(code, 1, said)
        self.assertIn("x.cpp: error", said)
        self.assertNotIn("disk", said)


unittest.main(argv=sys.argv[:1], verbosity=2)
