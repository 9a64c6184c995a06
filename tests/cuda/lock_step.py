"""lock_step.py GPUTEST_CUDA WORK

Random kernels whose lanes exchange values in __shared__ memory, by volatile and plain accesses, with __syncwarp of random
masks and __syncthreads in between. What is right is computed here, from every pair of accesses: lanes that only steps
order are a finding, lanes that __syncwarp orders, also by way of others, are none.
GPUTEST_RANDOM: the number of kernels.
"""
import json, os, random, subprocess, sys

COMPILER, WORK = map(os.path.abspath, sys.argv[1:3])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "12"))
LANES = 32
TYPES = ["int", "float", "double", "short"]


class Statement:
    def __init__(self, what, shift=0, part=0, mask=0):
        self.what, self.shift, self.part, self.mask = what, shift, part, mask
        self.write, self.volatile = what.startswith("write"), what.endswith("volatile")
        self.access = self.write or what.startswith("read")

    def place(self, lane):
        return (self.part, (lane + self.shift) % LANES)

    def text(self, number):
        tile = "v" if self.volatile else "p"
        at = f"{tile}[{LANES * self.part} + (t + {self.shift}) % {LANES}]"
        return {"write": f"{at} = 7 * t + {50 * number};", "read": f"sum += {at};", "sync": f"if ({self.mask}u >> t & 1) __syncwarp({self.mask}u);",
                "barrier": "__syncthreads();"}[self.what.split()[0]]


def random_statements(chance):
    masks = [0xffffffff, 0xffffffff, 0x0000ffff, 0x00ffff00, 0x55555555, 0x0000000f]
    # Some kernels have only volatile accesses, and some are ordered nearly everywhere.
    accesses = ["write volatile", "read volatile", "read volatile"] + ["write plain", "read plain"] * chance.randint(0, 1)
    syncs = chance.choice([0, 1, 4])
    statements = []
    for _ in range(chance.randint(3, 9)):
        statements.append(Statement(chance.choice(accesses), chance.choice([0, 0, 1, 5, 16]), chance.randint(0, 1)))
        if chance.randint(0, 4) < syncs:
            statements.append(chance.choice([Statement("sync", mask=chance.choice(masks)), Statement("sync", mask=0xffffffff), Statement("barrier")]))
    return statements


def steps_of(statements):
    """Before which statements lanes wait for each other: a volatile read after a write, a volatile write after anything."""
    steps, read, written = set(), False, False
    for number, one in enumerate(statements):
        if one.what == "barrier":
            read = written = False
        elif one.what == "sync":
            read = written = True  # it may be any call
        else:
            if one.volatile and (read or written if one.write else written):
                steps.add(number)
                read = written = False
            read, written = read or not one.write, written or one.write
    return steps


def knowledge(statements):
    """For each statement and lane: of each lane, before which statement all is known by __syncwarp."""
    known = [[0] * LANES for _ in range(LANES)]
    at = []
    for number, one in enumerate(statements):
        at.append([list(lane) for lane in known])
        members = [lane for lane in range(LANES) if one.what == "sync" and one.mask >> lane & 1]
        together = [max([number if other in members else 0] + [known[lane][other] for lane in members]) for other in range(LANES)]
        for lane in members:
            known[lane] = list(together)
        if one.what == "barrier":
            known = [[number] * LANES for _ in range(LANES)]
    return at


def removable(statements):
    """Plain accesses that a compiler may leave out, because the same lanes access the same places plainly elsewhere."""
    alike = {}
    for number, one in enumerate(statements):
        if one.access and not one.volatile:
            alike.setdefault((one.part, one.shift), []).append(number)
    return {number for numbers in alike.values() if len(numbers) > 1 for number in numbers}


def pairs_of(statements):
    """Returns pairs of statements that must be reported, and those that may be: the former have no other write in between."""
    steps, at = steps_of(statements), knowledge(statements)
    writes = {}  # by place: statements
    for number, one in enumerate(statements):
        for lane in range(LANES):
            if one.access and one.write:
                writes.setdefault(one.place(lane), []).append(number)
    optional = removable(statements)
    must, may = set(), set()
    for later, mine in enumerate(statements):
        for earlier, other in enumerate(statements[:later]):
            if not (mine.access and other.access) or not (mine.write or other.write) or mine.part != other.part:
                continue
            for lane in range(LANES):
                other_lane = (mine.place(lane)[1] - other.shift) % LANES
                if other_lane == lane or at[later][lane][other_lane] > earlier:
                    continue
                may.add((earlier, later))
                between = [number for number in writes.get(mine.place(lane), []) if earlier < number < later]
                stepped = any(earlier < number <= later for number in steps)
                if not {earlier, later} & optional and not between and (stepped or not (mine.write and other.write)):
                    must.add((earlier, later))
    return must, may


def kernel(number, chance, line):
    """Returns the text, the pairs of lines that must and may be found, and all lines."""
    statements = random_statements(chance)
    kind = chance.choice(TYPES)
    begin = [f"__global__ void k{number}(int* out) {{", f"  __shared__ {kind} tile[{2 * LANES}];", f"  {kind}* p = tile;",
             f"  volatile {kind}* v = tile;", "  const unsigned t = threadIdx.x;", f"  p[t] = p[t + {LANES}] = 0;", "  int sum = 0;",
             "  __syncthreads();"]
    end = ["  __syncthreads();", "  out[t] = sum + p[t];", "}"]
    first = line + len(begin)
    must, may = ({(first + a, first + b) for a, b in pairs} for pairs in pairs_of(statements))
    body = ["  " + one.text(i) for i, one in enumerate(statements)]
    return begin + body + end, must, may


def main():
    os.makedirs(WORK, exist_ok=True)
    chance = random.Random(11)
    lines, must, may, of_kernel = [], set(), set(), {}
    for number in range(COUNT):
        begin = len(lines) + 1
        text, wanted, allowed = kernel(number, chance, begin)
        lines += text
        of_kernel.update({line: begin for line in range(begin, len(lines) + 1)})
        must, may = must | wanted, may | allowed
    kernels = "\n".join(lines)
    main_text = "".join(f"  k{number}<<<1, {LANES}>>>(out);\n" for number in range(COUNT))
    with open(f"{WORK}/steps.cu", "w") as source:
        source.write(f"{kernels}\nint main() {{\n  int* out;\n  cudaMalloc(&out, {4 * LANES});\n{main_text}  return cudaDeviceSynchronize();\n}}\n")
    subprocess.run([COMPILER, "-std=c++17", "-O1", "-o", f"{WORK}/steps", "steps.cu"], check=True, cwd=WORK)

    def found(checks):
        findings = f"{WORK}/findings"
        if os.path.exists(findings):
            os.remove(findings)
        ran = subprocess.run([f"{WORK}/steps"], stderr=subprocess.PIPE, text=True,
                             env={**os.environ, "GPUTEST_CUDA_CHECKS": checks, "GPUTEST_CUDA_FINDINGS": findings})
        pairs = {"lock_step": set(), "race": set()}
        for text in open(findings) if os.path.exists(findings) else []:
            finding = json.loads(text)
            if "kind" in finding:
                other = int(finding["message"].split("steps.cu:")[1].split(":")[0])
                pairs.setdefault(finding["kind"], set()).add(tuple(sorted((finding["line"], other))))
        return ran.returncode, pairs

    code, pairs = found("races")
    steps, races = pairs["lock_step"], pairs["race"] | pairs.get("race_same_value", set())
    missing, wrong = sorted(must - steps - races), sorted(steps - may)
    for what, one in [("is not found", one) for one in missing[:2]] + [("is wrong", one) for one in wrong[:2]]:
        begin = of_kernel[one[0]]
        print(f"steps.cu:{one[0]} and steps.cu:{one[1]}: that nothing orders the two but steps {what}")
        print("\n".join(f"{begin + i:5} {line}" for i, line in enumerate(lines[begin - 1:begin + 24])).split(" }\n")[0])
    clean = {of_kernel[line] for line in of_kernel} - {of_kernel[line] for pair in may for line in pair}
    left_out_code, left_out = found("races_in_step")
    if code or left_out_code or missing or wrong or not steps or not clean or left_out["lock_step"] or left_out["race"] != pairs["race"]:
        sys.exit(f"{len(missing)} of {len(must)} pairs are missing and {len(wrong)} of {len(steps)} are wrong; {len(clean)} of {COUNT} kernels have "
                 f"none; without the kind there are {len(left_out['lock_step'])}, and {len(left_out['race'])} races instead of {len(pairs['race'])}")


main()
