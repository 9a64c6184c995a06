"""Kernels that a program launches one after the other, of which it is known whether they have a race."""
import os, re, subprocess, sys


def judge(compiler, work, name, text, races, few):
    """Ends with what is wrong. text: the program, which prints "kernel <n>" before each. few: of each kind there are more."""
    with open(f"{work}/{name}.cu", "w") as source:
        source.write(text)
    subprocess.run([compiler, "-std=c++17", "-O1", "-o", f"{work}/{name}", f"{work}/{name}.cu"], check=True)
    ran = subprocess.run([f"{work}/{name}"], stderr=subprocess.PIPE, text=True, env={**os.environ, "GPUTEST_CUDA_CHECKS": "races"})
    parts = re.split(r"^kernel (\d+)$", ran.stderr, flags=re.MULTILINE)
    said = {int(parts[i]): parts[i + 1] for i in range(1, len(parts), 2)}
    wrong = [n for n, race in enumerate(races) if ("[race" in said.get(n, "")) != race]
    for n in wrong[:3]:
        print(f"kernel {n} " + ("has a race, and none is found" if races[n] else "has no race, and yet:\n" + said.get(n, "")))
        print(text[text.index(f"__global__ void k{n}("):].split("\n}\n")[0])
    if ran.returncode != 0 or wrong or not few < sum(races) < len(races) - few:
        sys.exit(f"{len(wrong)} of {len(races)} are wrong; {sum(races)} have races; exit code {ran.returncode}")
