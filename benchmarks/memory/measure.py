#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure.py <hardware.json>: the counters of the kernels of hardware.cu, by nvcc and ncu, on the GPU of this machine.

A counter is the median of the kernel's launches. Beside the file, <file>.csv has what ncu printed.
"""
import csv
import io
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
METRICS = {
    "reads": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "writes": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "updates": ["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"],
    "requests": [f"l1tex__t_requests_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("ld", "st", "red", "atom")],
    "conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"],
    "l2_sectors": ["lts__t_sectors_srcunit_tex.sum"],
    "l2_requests": ["lts__t_requests_srcunit_tex.sum"],
    "dram_bytes": ["dram__bytes_read.sum", "dram__bytes_write.sum"],
    "cycles": ["sm__cycles_elapsed.max"],
    "instructions": ["smsp__inst_executed.sum"],
    "nanoseconds": ["gpu__time_duration.sum"],
}
SCALES = {"": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "nsecond": 1, "ns": 1, "usecond": 1e3, "us": 1e3,
          "msecond": 1e6, "ms": 1e6}


def measured():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "hardware"
        subprocess.run(["nvcc", "-O3", "-arch=native", HERE / "hardware.cu", "-o", program], check=True)
        names = sorted({name for metric in METRICS.values() for name in metric})
        return subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                               "--metrics", ",".join(names), program], check=True, stdout=subprocess.PIPE, text=True).stdout


def counters(text):
    """The launches of each kernel, with what each metric counted."""
    lines = text[text.index('"ID"'):].splitlines()
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    head, units = rows[0], rows[1]
    launches = {}
    for row in rows[2:]:
        cells = dict(zip(head, row))
        kernel = re.match(r"\w+", cells["Kernel Name"]).group()
        values = {}
        for name, unit in zip(head, units):
            if name in {metric for sums in METRICS.values() for metric in sums}:
                scale = SCALES.get(unit, 1)
                values[name] = float(cells[name].replace(",", "") or 0) * scale
        launches.setdefault(kernel, []).append(values)
    return launches


def line_of(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip().splitlines()[-1]


def main():
    target = pathlib.Path(sys.argv[1])
    text = measured()
    target.with_name(target.name + ".csv").write_text(text)
    kernels, starts = {}, {}
    for kernel, launches in counters(text).items():
        if kernel.startswith("empty"):
            starts[kernel] = round(statistics.median(launch["sm__cycles_elapsed.max"] for launch in launches))
        elif kernel != "init":
            kernels[kernel] = {key: round(statistics.median(sum(launch[name] for name in names) for launch in launches))
                               for key, names in METRICS.items()}
    device = line_of(["nvidia-smi", "-i", "0", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    target.write_text(json.dumps({
        "device": f"{device}; {line_of(['nvcc', '--version'])}; ncu {line_of(['ncu', '--version'])}, --clock-control none",
        "metrics": {key: " + ".join(names) for key, names in METRICS.items()}, "starts": starts, "kernels": kernels}, indent=1) + "\n")


main()
