#!/usr/bin/env python3
"""generate_test.py <gputest command> <benchmarks/generate.py>: its tables, and options of single sources."""
import pathlib
import subprocess
import sys
import tempfile

KERNEL = """#ifndef LIMIT
#error how many?
#endif
kernel void few(global int* out, int n) {
  if (n > LIMIT) out[get_global_id(0)] = 1;
}
"""


def main():
    gputest, script = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "sources").mkdir()
        (folder / "sources" / "few.cl").write_text(KERNEL)
        table = folder / "options"
        table.write_text("other.cl -DLIMIT=1\n\nsources/few.cl -DLIMIT=4 -DMORE\n")

        def run(*options):
            return subprocess.run([sys.executable, script, gputest, folder / "sources", *options], capture_output=True,
                                  text=True)

        ran = run("--options", table, "--stages")
        assert ran.returncode == 0, ran.stderr
        outcomes, stages = ran.stdout.split("\n\n")
        name, *numbers = outcomes.splitlines()[1].rsplit(maxsplit=8)
        assert (name, numbers[0], numbers[4:6]) == ("few: few", "2", ["0", "0"]), outcomes
        assert sum(map(int, numbers[1:4])) == 2, outcomes
        heading, row = stages.splitlines()[:2]
        assert heading.split()[:3] == ["kernel", "reading", "compiling"], stages
        assert row.startswith("few: few ") and float(row.split()[3]) > 0, stages
        assert "compiling" not in outcomes and ran.stdout.endswith(" s a kernel\n"), ran.stdout

        ran = run("--options", table, "--markdown")
        assert "\n| few: few | 2 | " in ran.stdout and "compiling" not in ran.stdout, ran.stdout

        ran = run()  # a source that needs options and gets none
        assert ran.returncode == 0 and "\nfew.cl: " in ran.stdout and "how many?" in ran.stdout, ran.stdout

        ran = run("--options", folder / "none")
        assert ran.returncode != 0 and "none" in ran.stderr, ran.stderr


if __name__ == "__main__":
    sys.exit(main())
