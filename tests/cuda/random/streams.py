"""streams.py GPUTEST_CUDA SOURCE WORK

Random programs of streams, events, graphs, copies and accesses of the host, checked for races. What is right is computed
here: the operations are the nodes of a graph, each rule of CUDA adds edges, and two of them are ordered if there is a path.
GPUTEST_RANDOM: the number of programs.
"""
import os, random, subprocess, sys

COMPILER, SOURCE, WORK = map(os.path.abspath, sys.argv[1:4])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "150"))
INTS = 1024


class Model:
    """Nodes are numbers. `edges[n]` has what comes directly before n."""

    def __init__(self, kinds):
        self.kinds = {"L": "L", **kinds}  # of streams: L legacy, B blocks, N does not
        self.edges, self.accesses = [], []
        self.of_stream = {name: [] for name in self.kinds}
        self.host = self.node([])  # the last step of the host
        self.recorded = {}
        self.leaves = {}  # by stream: the ends of the last graph

    def node(self, before):
        self.edges.append(list(before))
        return len(self.edges) - 1

    def before_next(self, stream):
        """What an operation that is put into the stream now comes after."""
        before = [self.host] + self.of_stream[stream]
        kind = self.kinds[stream]
        for other, nodes in self.of_stream.items():
            if (kind == "L" and self.kinds[other] == "B") or (kind == "B" and self.kinds[other] == "L"):
                before += nodes
        return before

    def put(self, stream, touched=()):
        node = self.node(self.before_next(stream))
        self.of_stream[stream].append(node)
        self.accesses += [(node, "stream", *one) for one in touched]
        return node

    def put_graph(self, stream, nodes):
        before, made = self.before_next(stream), []
        for touched, dependencies in nodes:
            made.append(self.node(before + [made[one] for one in dependencies]))
            self.accesses += [(made[-1], "stream", *one) for one in touched]
        self.of_stream[stream] += made

    def wait(self, stream, event):
        node = self.node(self.before_next(stream) + ([self.recorded[event]] if event in self.recorded else []))
        self.of_stream[stream].append(node)

    def host_step(self, before=(), touched=()):
        self.host = self.node([self.host, *before])
        self.accesses += [(self.host, "host", *one) for one in touched]

    def host_waits(self, stream):
        before = list(self.of_stream[stream])
        if self.kinds[stream] == "L":
            before += [node for other, nodes in self.of_stream.items() if self.kinds[other] == "B" for node in nodes]
        self.host_step(before)

    def races(self):
        """Returns the kinds of races."""
        reach = []
        for before in self.edges:  # each comes after what it depends on
            mask = 0
            for one in before:
                mask |= reach[one] | 1 << one
            reach.append(mask)
        found = set()
        for i, (one, who, buffer, begin, end, writes) in enumerate(self.accesses):
            for other, whose, other_buffer, other_begin, other_end, other_writes in self.accesses[:i]:
                if (buffer == other_buffer and max(begin, other_begin) < min(end, other_end) and (writes or other_writes)
                        and one != other and not reach[one] >> other & 1 and not reach[other] >> one & 1):
                    if "host" in (who, whose):
                        if whose == "stream":  # the host cannot be too late for what is not there yet
                            found.add("host_race")
                    else:
                        found.add("stream_race")
        return found


def touched_by(what, buffer, begin, end, other=None):
    if what == "copy":
        return [(buffer, begin, end, False), (other, begin, end, True)]
    return [(buffer, begin, end, what != "use")]


class Program:
    def __init__(self, chance):
        self.chance, self.lines = chance, []
        self.streams = {f"s{n}": chance.choice("NNB") for n in range(chance.randint(1, 3))}
        self.events = ["e0", "e1"]
        self.device, self.shared = ["d0", "d1"], ["h0"]
        self.model = Model(self.streams)
        for name, kind in self.streams.items():
            self.lines.append(f"stream {name} {kind}")
        self.lines += [f"event {name}" for name in self.events] + [f"device {name}" for name in self.device]
        self.lines.append(f"{chance.choice(['pinned', 'managed'])} h0")
        self.lines.append("begin -")
        self.asynchronous = 0
        self.alive = []
        if chance.random() < 0.5:
            for _ in range(chance.randint(1, 3)):
                self.hand_over()
        else:
            for _ in range(chance.randint(4, 12)):
                self.step(self.any_step(), self.stream(), chance.choice(self.events))

    def any_step(self):
        return self.chance.choices(
            ["do", "record", "wait", "sync_event", "query_event", "sync", "query", "sync_device", "function", "copy_now",
             "set_now", "read", "write", "graph", "capture", "allocate", "free"],
            [30, 7, 8, 3, 1, 4, 1, 1, 1, 1, 3, 3, 2, 3, 2, 2, 3])[0]

    def hand_over(self):
        """Work of one stream that that of another, or the host, comes after; or a step of this is missing."""
        chance = self.chance
        one, other, event = self.stream(), self.stream(), chance.choice(self.events)
        work = chance.choice(["do", "do", "graph", "capture", "set_now"])
        steps = chance.choice([
            [(work, one), ("record", one), ("wait", other), ("do", other)],
            [(work, one), ("record", one), ("sync_event", one), (chance.choice(["read", "write", "do"]), other)],
            [(work, one), ("sync", one), (chance.choice(["read", "write", "do"]), other)],
            [("record", one), ("wait", other), (work, one), ("do", other)],  # too early
            [("allocate", one), ("record", one), ("wait", other), ("do", other), ("record", other), ("sync_event", other),
             ("free", one)],
            [(work, one), ("function", one), ("do", other)],
        ])
        for what, stream in steps:
            if chance.random() < 0.9:
                self.step(what, stream, event)

    def stream(self):
        return self.chance.choice([*self.streams, *self.streams, "L"])

    def work(self, whole=False):
        """Returns words and accesses of one operation."""
        chance = self.chance
        buffer = chance.choice(self.device + self.alive + self.shared)
        begin = chance.choice([0, 0, 100, 512])
        end = chance.choice([begin + 1, begin + 100, INTS])
        what = chance.choice(["fill", "use", "set", "copy"])
        other = None
        if what == "copy":
            other = chance.choice([one for one in self.device + self.alive + self.shared if one != buffer])
        if whole or buffer in self.shared or other in self.shared:  # only whole pages are watched
            begin, end = 0, INTS
        words = f"{what} {buffer} {begin} {end}" + (f" {other}" if other else "")
        return words, touched_by(what, buffer, begin, end, other)

    def node(self):
        while True:
            words, touched = self.work()
            if not words.startswith("copy"):
                return words, touched

    def step(self, what, stream, event):
        chance, model = self.chance, self.model
        if what == "do":
            words, touched = self.work()
            model.put(stream, touched)
            self.lines.append(f"do {stream} {words}")
        elif what == "record":
            model.recorded[event] = model.put(stream)
            self.lines.append(f"record {stream} {event}")
        elif what == "wait":
            model.wait(stream, event)
            self.lines.append(f"wait {stream} {event}")
        elif what in ("sync_event", "query_event"):
            model.host_step([model.recorded[event]] if event in model.recorded else [])
            self.lines.append(f"{what} {event}")
        elif what in ("sync", "query"):
            model.host_waits(stream)
            self.lines.append(f"{what} {stream}")
        elif what == "sync_device":
            model.host_step([node for nodes in model.of_stream.values() for node in nodes])
            self.lines.append("sync_device -")
        elif what == "function":  # may tell the host, so the host counts as told
            model.host_step([model.put(stream)])
            self.lines.append(f"function {stream}")
        elif what == "copy_now":
            buffer = chance.choice(self.device)
            model.host_step([model.put("L", [(buffer, 0, INTS, True)])])
            self.lines.append(f"copy_now {buffer}")
        elif what == "set_now":  # the host waits for sets of its own memory alone
            buffer = chance.choice(self.device + self.shared)
            node = model.put("L", [(buffer, 0, INTS, True)])
            if buffer in self.shared:
                model.host_step([node])
            self.lines.append(f"set_now {buffer}")
        elif what in ("read", "write"):
            model.host_step(touched=[("h0", 7, 8, what == "write")])
            self.lines.append(f"{what} h0")
        elif what == "graph":
            nodes, words = [], ""
            for number in range(chance.randint(1, 4)):
                text, touched = self.node()
                before = sorted(chance.sample(range(number), chance.randint(0, min(number, 2))))
                nodes.append((touched, before))
                words += f" {text} {len(before)}" + "".join(f" {one}" for one in before)
            model.put_graph(stream, nodes)
            self.lines.append(f"graph {stream} {len(nodes)}{words}")
        elif what == "capture":
            four = [self.node() for _ in range(4)]
            model.put_graph(stream, [(touched, before) for (_, touched), before in zip(four, [[], [0], [0], [1, 2]])])
            self.lines.append(f"capture {stream} " + " ".join(words for words, _ in four))
        elif what == "allocate":
            name = f"a{self.asynchronous}"
            self.asynchronous += 1
            self.alive.append(name)
            model.put(stream, [(name, 0, INTS, True)])
            self.lines.append(f"allocate {stream} {name}")
        elif what == "free" and self.alive:
            name = self.alive.pop(chance.randrange(len(self.alive)))
            model.put(stream, [(name, 0, INTS, True)])
            self.lines.append(f"free {stream} {name}")


def main():
    os.makedirs(WORK, exist_ok=True)
    chance = random.Random(11)
    programs = [Program(random.Random(chance.random())) for _ in range(COUNT)]
    text = "".join(f"program {n}\n" + "".join(line + "\n" for line in one.lines) for n, one in enumerate(programs))
    with open(f"{WORK}/programs", "w") as file:
        file.write(text)
    subprocess.run([COMPILER, "-std=c++17", "-O1", "-o", f"{WORK}/streams", SOURCE], check=True)
    findings = f"{WORK}/findings"
    if os.path.exists(findings):
        os.remove(findings)
    with open(f"{WORK}/programs") as file:
        ran = subprocess.run([f"{WORK}/streams"], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env={**os.environ, "GPUTEST_CUDA_CHECKS": "races", "GPUTEST_CUDA_FINDINGS": findings})
    said, number = {}, None
    with open(findings) as file:
        for line in file:
            if line.startswith("program "):
                number = int(line.split()[1])
            elif '"kind"' in line:
                said.setdefault(number, []).append(line)
    wrong, seen = [], {}
    for n, one in enumerate(programs):
        right = one.model.races()
        found = {kind for kind in ("stream_race", "host_race", "race") for line in said.get(n, ()) if f'"{kind}"' in line}
        for kind in right or {"none"}:
            seen[kind] = seen.get(kind, 0) + 1
        if right != found:
            wrong.append(n)
            if len(wrong) <= 3:
                print(f"program {n} has {sorted(right) or 'no race'}, and found are {sorted(found) or 'none'}:")
                print("\n".join(one.lines), *said.get(n, ()), sep="\n")
    if ran.returncode != 0 or wrong or min(seen.get(kind, 0) for kind in ("none", "stream_race", "host_race")) < COUNT / 30:
        sys.exit(f"{len(wrong)} of {COUNT} are wrong; races: {seen}; exit code {ran.returncode}\n{ran.stdout}{ran.stderr[-2000:]}")
    print(f"{COUNT} programs; races: {seen}")


main()
