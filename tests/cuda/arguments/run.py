# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py <compiler> <headers> <work>: calls each function of CUDA's APIs with wrong arguments.

The functions are those that the headers and the driver's table declare. No call may crash, and
none may take a handle that nobody has made. In a thread without a context the driver's table
says which calls fail for that.
"""
import pathlib
import re
import subprocess
import sys

LEFT_OUT = {"cudaDeviceReset", "cudaThreadExit", "cuDevicePrimaryCtxReset_v2"}  # end all handles
# All contexts share the device's memory and its default stream, so these do not look at theirs.
ALLOWED = {"takes a handle of nobody: " + call
           for call in ("cuGraphConditionalHandleCreate - - garbage - -",
                        "cuCtxRecordEvent garbage -", "cuCtxWaitEvent garbage -")}


def functions(headers):
    """Returns name, result and parameters of each."""
    declared = re.compile(r"^(cudaError_t) (cuda\w+)(\([^;]*\));", re.M)
    rows = []
    for header in ["cuda_runtime_api.h", "gputest_cuda/graphs.h"]:
        text = re.sub(r" GPUTEST_DEFAULT\(\w+\)", "", (headers / header).read_text())
        for result, name, parameters in declared.findall(text):
            rows.append((name, result, " ".join(parameters.split())))
    table = (headers / "gputest_cuda" / "driver_calls.def").read_text()
    row = re.compile(r"^GPUTEST_CUDA_\w+\((\w+), \w+, \d+, \w+, (\([^()]*\))", re.M)
    rows += [(name, "CUresult", parameters) for name, parameters in row.findall(table)]
    return [row for row in rows if row[0] not in LEFT_OUT]


# Functions of contexts themselves: the error is about the context that they are given.
OF_CONTEXTS = {f"{name} wants a context"
               for name in ("cuCtxDestroy_v2", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2",
                            "cuDevicePrimaryCtxRelease_v2")}


def contexts(compiler, headers, work):
    """Returns what is wrong in threads without a context."""
    row = re.compile(r"^GPUTEST_CUDA_\w+\((\w+), \w+, \d+, (\w+), (\([^()]*\))", re.M)
    rows = row.findall((headers / "gputest_cuda" / "driver_calls.def").read_text())
    (work / "contexts.def").write_text("".join(f"FUNCTION({', '.join(row)})\n" for row in rows))
    program = work / "contexts"
    source = pathlib.Path(__file__).parent / "contexts.cpp"
    subprocess.run([compiler, "-std=c++20", "-I", work, source, "-lcuda", "-o", program], check=True)
    lines = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    current, anywhere = map(int, lines[-1].split())
    print(f"{current} functions want a context, {anywhere} do not")
    wrong = [line for line in lines[:-1] if line not in OF_CONTEXTS]
    return wrong + ([] if current > 100 and anywhere > 100 else ["functions are missing"])


def main():
    compiler, headers, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    rows = functions(headers)
    (work / "functions.def").write_text("".join(f"FUNCTION({', '.join(row)})\n" for row in rows))
    program = work / "arguments"
    source = pathlib.Path(__file__).parent / "arguments.cpp"
    subprocess.run([compiler, "-std=c++20", "-I", work, source, "-lcuda", "-o", program], check=True)
    lines = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           check=True).stdout.splitlines()
    wrong = [line for line in lines[:-1] if line not in ALLOWED]
    wrong += contexts(compiler, headers, work)
    calls = int(lines[-1].split()[0])
    print("\n".join(wrong))
    print(f"{len(rows)} functions, {calls} calls, {len(wrong)} of them wrong")
    return 0 if not wrong and len(rows) > 500 and calls > 3 * len(rows) else 1


sys.exit(main())
