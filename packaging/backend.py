# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pip calls to build the wheel from source (PEP 517): `pip wheel --no-deps .` in a checkout, on Debian or Ubuntu.

The archive for any Linux is built by quickstart.sh, and made into a wheel by wheel.py. GPUTEST_ARCHIVE names an archive
that is there already.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import wheel  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    archive = os.environ.get("GPUTEST_ARCHIVE")
    if not archive:
        build = ROOT / "build" / "wheel"
        subprocess.run([ROOT / "quickstart.sh", "archive"], check=True, env=dict(os.environ, BUILD_DIR=str(build)))
        archive = max(build.glob("gputestcheck-*-linux-*.tar.zst"), key=lambda file: file.stat().st_mtime)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-C", folder, "--strip-components", "1", "--zstd", "-xf", archive], check=True)
        return wheel.main(pathlib.Path(folder), pathlib.Path(wheel_directory)).name


def build_sdist(sdist_directory, config_settings=None):
    version = wheel.version_of(ROOT)
    name = f"gputestcheck-{version}"
    file = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "archive", f"--prefix={name}/", "-o", file, "HEAD"], cwd=ROOT, check=True)
    return file.name
