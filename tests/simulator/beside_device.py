#!/usr/bin/env python3
"""Random kernels in which nothing is wrong leave the same values on the device and in the simulator.

usage: beside_device.py <write_faulty_kernel> <gputest> <gputest-simulator> <harness fixture>

GPUTEST_RANDOM says how many; a failure names the seed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

writer, gputest, simulator, harness = sys.argv[1:]
for seed in range(1, int(os.environ.get("GPUTEST_RANDOM", "4")) + 1):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([writer, str(seed), folder], check=True)
        subprocess.run([gputest, "describe", folder / "kernel.cl", "-o", folder / "interface.json"], check=True)
        description = {"source": str(folder / "kernel.cl"), "kernel": "k", "kernel_dir": name, "global_size": [16], "local_size": [8],
                       "test_cases": [str(folder / "case.json")], "simulator": simulator}
        (folder / "description.json").write_text(json.dumps(description))
        ran = subprocess.run([harness, folder / "description.json", "--compare", "1", "--device", "simulator"], capture_output=True, text=True)
        if ran.returncode == 77:
            print(ran.stdout)
            sys.exit(77)
        if ran.returncode != 0:
            sys.exit(f"seed {seed}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}\n{(folder / 'kernel.cl').read_text()}")
