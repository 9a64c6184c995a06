"""locks.py GPUTEST_CUDA WORK

Random kernels of two or three threads with locks, messages and fences, checked for races. What is right is computed
here: PTX's memory model, over every order in which the threads can take the locks. A kernel is at fault if it has a
race in one of them, though a run shows one order only. GPUTEST_RANDOM: the number of kernels.
"""
import itertools, os, random, sys

from race_kernels import judge

COMPILER, WORK = map(os.path.abspath, sys.argv[1:3])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "10"))
BLOCK, DEVICE = 1, 2  # scopes
FENCES = {0: "", BLOCK: "__threadfence_block();", DEVICE: "__threadfence();"}
ORDERS = {(0, 0): "relaxed", (1, 0): "acquire", (0, 1): "release", (1, 1): "acq_rel"}


class Event:
    """An access of a word by a thread, or a fence. Strong accesses have a scope."""

    def __init__(self, place=None, reads=False, writes=False, scope=0, acquires=False, releases=False, strong=True, fence=0):
        self.place, self.reads, self.writes, self.strong, self.fence = place, reads, writes, strong and not fence, fence
        self.scope, self.acquires, self.releases = scope, acquires, releases


class Thread:
    def __init__(self, block, warp):
        self.block, self.warp, self.events, self.lines = block, warp, [], []
        self.sections = {}  # by lock: the numbers of its first and last events

    def add(self, line, *events):
        if line:
            self.lines.append(line)
        self.events += events

    def fence(self, scope):
        self.add(FENCES[scope], *([Event(fence=scope)] if scope else []))

    def access(self, word, how):
        line = {"read": f"sum += d[{word}];", "write": f"d[{word}] = {self.block + 1};", "update": f"d[{word}] += 1;"}[how]
        if how != "write":
            self.add("", Event(("d", word), reads=True, strong=False))
        if how != "read":
            self.add("", Event(("d", word), writes=True, strong=False))
        self.add(line)


def atomic(scope, word, call, order):
    name = {BLOCK: "block", DEVICE: "device"}[scope]
    return f"cuda::atomic_ref<int, cuda::thread_scope_{name}>(w[{word}]).{call}cuda::std::memory_order_{order})"


def section(thread, lock, kind, chance, fence, scope):
    """The lock's words are w[2 * lock] and the one behind it; it protects d[lock]."""
    word, first = 2 * lock, len(thread.events)
    if kind == "atomic":
        acquires, releases, narrow = chance.random() < 0.8, chance.random() < 0.8, scope()
        thread.add(f"while ({atomic(narrow, word, 'exchange(1, ', ORDERS[acquires, 0])}) {{}}",
                   Event(word, True, True, narrow, acquires))
    elif kind == "ticket":
        thread.add(f"ticket = atomicAdd(&w[{word + 1}], 1);", Event(word + 1, True, True, DEVICE))
        thread.add(f"while (*(volatile int*)&w[{word}] != ticket) {{}}", Event(word, True, False, DEVICE))
    else:
        take = f"atomicCAS(&w[{word}], 0, 1)" if kind == "cas" else f"atomicExch(&w[{word}], 1)"
        thread.add(f"while ({take} != 0) {{}}", Event(word, True, True, DEVICE))
    if kind != "atomic" or chance.random() < 0.3:
        thread.fence(fence())
    for _ in range(chance.randint(1, 2)):
        thread.access(lock, chance.choice(["read", "write", "update"]))
    if kind != "atomic" or chance.random() < 0.3:
        thread.fence(fence())
    if kind == "atomic":
        thread.add(atomic(narrow, word, "store(0, ", ORDERS[0, releases]) + ";", Event(word, False, True, narrow, False, releases))
    elif chance.random() < 0.5:
        thread.add(f"*(volatile int*)&w[{word}] = {'ticket + 1' if kind == 'ticket' else 0};", Event(word, False, True, DEVICE))
    else:
        thread.add(f"atomicAdd(&w[{word}], 1);" if kind == "ticket" else f"atomicExch(&w[{word}], 0);", Event(word, True, True, DEVICE))
    thread.sections[lock] = (first, len(thread.events) - 1)


def message(sender, receiver, number, chance, fence, scope):
    """A flag is w[8 + number]; the message is d[8 + number]."""
    flag = 8 + number
    sender.access(flag, "write")
    if chance.random() < 0.5:
        order, narrow = chance.random() < 0.8, scope()
        sender.add(atomic(narrow, flag, "store(1, ", ORDERS[0, order]) + ";", Event(flag, False, True, narrow, False, order))
    else:
        sender.fence(fence())
        sender.add(f"*(volatile int*)&w[{flag}] = 1;", Event(flag, False, True, DEVICE))
    if chance.random() < 0.5:
        order, narrow = chance.random() < 0.8, scope()
        receiver.add(f"while ({atomic(narrow, flag, 'load(', ORDERS[order, 0])} == 0) {{}}", Event(flag, True, False, narrow, order))
    else:
        receiver.add(f"while (*(volatile int*)&w[{flag}] == 0) {{}}", Event(flag, True, False, DEVICE))
        receiver.fence(fence())
    receiver.access(flag, chance.choice(["read", "update"]))


def program(chance):
    """Returns threads, and the messages as pairs of threads. Three threads are of three blocks, or of one: the check
    does not know all orders of three that have fences of several scopes, or of which a message orders two."""
    count = chance.randint(2, 3)
    near = chance.random() < 0.4
    threads = [Thread(0, i) if near else Thread(i, 0) for i in range(count)]
    right = BLOCK if near else DEVICE
    wrong = chance.choice([0, 0.1, 0.2, 0.3])

    def fence():
        return right if chance.random() >= wrong else chance.choice([0, BLOCK])

    def scope():
        return DEVICE if near or chance.random() >= wrong / 2 else BLOCK

    kinds = [chance.choice(["cas", "tas", "ticket", "atomic"]) for _ in range(2)]

    def sections(thread):
        for lock in chance.sample([0, 1], chance.randint(1, 2)):
            section(thread, lock, kinds[lock], chance, fence, scope)

    what = chance.choice(["locks", "locks", "chain" if count == 3 else "told"])
    order = chance.sample(threads, count)
    if what == "chain":  # from the first to the second to the third
        sections(order[0])
        message(order[0], order[1], 0, chance, fence, scope)
        message(order[1], order[2], 1, chance, fence, scope)
        order[2].access(8, "read")
        sections(order[2])
        return threads, [(order[0], order[1], 8), (order[1], order[2], 9)]
    for thread in order:
        if what == "told" and thread is order[1]:
            message(order[0], order[1], 0, chance, fence, scope)
        sections(thread)
    return threads, [(order[0], order[1], 8)] if what == "told" else []


def closure(before):
    """Of a list of sets of predecessors; None if there is a cycle."""
    all_before, open_ = [None] * len(before), set()

    def visit(node):
        if all_before[node] is not None:
            return all_before[node]
        if node in open_:
            raise ValueError
        open_.add(node)
        found = set(before[node])
        for one in before[node]:
            found |= visit(one)
        all_before[node] = found
        return found

    try:
        for node in range(len(before)):
            visit(node)
    except ValueError:
        return None
    return all_before


def has_race(threads, told):
    events = [(thread, event) for thread in threads for event in thread.events]
    number = {id(event): i for i, (_, event) in enumerate(events)}
    program_order = [set() for _ in events]
    for i in range(1, len(events)):
        if events[i][0] is events[i - 1][0]:
            program_order[i].add(i - 1)
    earlier = closure(program_order)
    of_lock = [[thread for thread in threads if lock in thread.sections] for lock in (0, 1)]
    for orders in itertools.product(*(itertools.permutations(all_) for all_ in of_lock)):
        # The strong accesses of each word, in this order.
        words, happens = {}, [set(one) for one in program_order]
        for lock, order in enumerate(orders):
            for last, thread in zip((None,) + order, order):
                first, end = thread.sections[lock]
                if last:
                    happens[number[id(thread.events[first])]].add(number[id(last.events[last.sections[lock][1]])])
                for event in thread.events[first:end + 1]:
                    if event.strong:
                        words.setdefault(event.place, []).append(number[id(event)])
        for sender, receiver, flag in told:
            write, = [e for e in sender.events if e.place == flag]
            read, = [e for e in receiver.events if e.place == flag]
            words[flag] = [number[id(write)], number[id(read)]]
            happens[number[id(read)]].add(number[id(write)])
        if closure(happens) is None:
            continue  # no run has this order
        synchronised = [set(one) for one in program_order]
        for accesses in words.values():
            for i, read in enumerate(accesses):
                if not events[read][1].reads:
                    continue
                for write in reversed(accesses[:i]):
                    synchronise(events, earlier, write, read, synchronised)
                    if events[write][1].writes and not events[write][1].reads:
                        break
        ordered = closure(synchronised)
        for i, j in itertools.combinations(range(len(events)), 2):
            (one, a), (other, b) = events[i], events[j]
            if one is other or a.place != b.place or a.place is None or not (a.writes or b.writes) or i in ordered[j] or j in ordered[i]:
                continue
            if not a.strong or not b.strong or (one.block != other.block and BLOCK in (a.scope, b.scope)):
                return True
    return False


def synchronise(events, earlier, write, read, before):
    (writer, w), (reader, r) = events[write], events[read]
    if writer is reader or not w.writes:
        return
    releases = [(write, w.scope)] if w.releases else []
    releases += [(f, min(w.scope, events[f][1].fence)) for f in earlier[write] if events[f][1].fence]
    acquires = [(read, r.scope)] if r.acquires else []
    acquires += [(f, min(r.scope, events[f][1].fence)) for f in range(len(events))
                 if read in earlier[f] and events[f][1].fence]
    for (release, told), (acquire, saw) in itertools.product(releases, acquires):
        if writer.block == reader.block or min(told, saw) == DEVICE:
            before[acquire].add(release)


def kernel(number, chance):
    threads, told = program(chance)
    text = f"__global__ void k{number}(int* d, int* w, int* out) {{\n  int sum = 0, ticket = 0;\n"
    for thread in threads:
        text += f"  if (blockIdx.x == {thread.block} && threadIdx.x == {32 * thread.warp}) {{\n    "
        text += "\n    ".join(thread.lines) + "\n  }\n"
    text += "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + ticket;\n}\n"
    shape = (1 + max(t.block for t in threads), 32 * (1 + max(t.warp for t in threads)))
    return has_race(threads, told), text, shape


def main():
    os.makedirs(WORK, exist_ok=True)
    chance = random.Random(35)
    races, shapes, text = [], [], "#include <cuda/atomic>\n#include <cstdio>\n"
    for number in range(COUNT):
        race, code, shape = kernel(number, chance)
        races.append(race)
        shapes.append(shape)
        text += code
    text += "int main() {\n  int *d, *w, *out;\n  cudaMalloc(&d, 64);\n  cudaMalloc(&w, 64);\n  cudaMalloc(&out, 4096);\n"
    for number, (blocks, size) in enumerate(shapes):
        text += f'  cudaMemset(d, 0, 64);\n  cudaMemset(w, 0, 64);\n  fprintf(stderr, "kernel {number}\\n");\n'
        text += f"  k{number}<<<{blocks}, {size}>>>(d, w, out);\n  cudaDeviceSynchronize();\n"
    text += "  return cudaGetLastError() != cudaSuccess;\n}\n"
    judge(COMPILER, WORK, "locks", text, races, COUNT / 5)


main()
