"""Calls of functions that work-items of a group call together, beside a plain model of groups.

Sub-groups have 8 work-items here, and the last one of a work-group has 4. Functions that not all need to call are called
by some in half of the kernels.
"""
import functools
import math
import re

import declarations
import numbers_of_opencl as numbers
import oracle
from compared import is_right
from oracle import ANY, Answer, exact

LANES, GROUP, ITEMS = 8, 20, 40
FOLD = re.compile(r"(?:intel_)?(sub|work)_group_(non_uniform_|clustered_)?(reduce|scan_inclusive|scan_exclusive)_"
                  r"(logical_)?(add|mul|min|max|and|or|xor)$")
BLOCK = re.compile(r"intel_sub_group_block_(read|write)(?:_u\w)?(\d*)$")
COPY = re.compile(r"async_work_group_(strided_)?copy$")
SIZES = {"get_sub_group_size": lambda i: len(members(i)), "get_max_sub_group_size": lambda i: LANES,
         "get_num_sub_groups": lambda i: 3, "get_enqueued_num_sub_groups": lambda i: 3,
         "get_sub_group_id": lambda i: i % GROUP // LANES, "get_sub_group_local_id": lambda i: lane(i),
         "get_global_linear_id": lambda i: i, "get_local_linear_id": lambda i: i % GROUP, "get_work_dim": lambda i: 1}
# Each function returns the first number for the first dimension, and the second for others.
DIMENSIONS = {"get_global_id": lambda i: (i, 0), "get_global_size": lambda i: (ITEMS, 1), "get_global_offset": lambda i: (0, 0),
              "get_group_id": lambda i: (i // GROUP, 0), "get_local_id": lambda i: (i % GROUP, 0),
              "get_local_size": lambda i: (GROUP, 1), "get_enqueued_local_size": lambda i: (GROUP, 1),
              "get_num_groups": lambda i: (ITEMS // GROUP, 1)}
MASKS = {"eq": lambda k, own: k == own, "ge": lambda k, own: k >= own, "gt": lambda k, own: k > own,
         "le": lambda k, own: k <= own, "lt": lambda k, own: k < own}
OTHERS = re.compile(r"(sub|work)_group_(all|any|broadcast)$|sub_group_(elect|non_uniform_(all|any|all_equal|broadcast)|ballot\w*"
                    r"|inverse_ballot|broadcast_first|(clustered_)?rotate|shuffle(_xor|_up|_down)?)$"
                    r"|get_sub_group_\w\w_mask$|intel_sub_group_(broadcast|shuffle(_xor|_up|_down)?)$|clock_read_\w+$|prefetch$")
# Called by all of a sub-group or work-group, or takes the value of another work-item.
TOGETHER = re.compile(r"work_group|sub_group_(all|any|broadcast|reduce|scan)|intel_|get_(num|enq|glo|loc|gro|wor|max)|clock|prefetch"
                      r"|.*(rotate|shuffle)")


def is_of_groups(function):
    name = function.name
    if any("image" in p.text for p in function.parameters) or "_avc_" in name:
        return False
    return bool(FOLD.match(name) or BLOCK.match(name) or COPY.match(name) or OTHERS.match(name) or name in SIZES or name in DIMENSIONS)


def lane(i):
    return i % GROUP % LANES


def members(i):
    """Its sub-group's work-items."""
    first = i - lane(i)
    return range(first, min(first + LANES, first - first % GROUP + GROUP))


def identity(scalar, name):
    if numbers.is_float(scalar):
        return {"add": 0.0, "mul": 1.0, "min": math.inf, "max": -math.inf}[name]
    low, high = numbers.limits(scalar)
    return {"add": 0, "or": 0, "xor": 0, "mul": 1, "min": high, "max": low, "and": -1}[name]


COMBINE = {"add": lambda x, y: x + y, "mul": lambda x, y: x * y, "min": min, "max": max, "and": lambda x, y: x & y,
           "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}


class Call:
    local_size = GROUP

    def __init__(self, function, choice):
        self.function, self.items, self.choice = function, ITEMS, choice
        self.fold = FOLD.match(function.name)
        self.block, self.copy = BLOCK.match(function.name), COPY.match(function.name)
        self.some = not TOGETHER.match(function.name) and choice.random() < 0.5
        self.here = [not self.some or lane(i) % 3 != 1 for i in range(ITEMS)]
        self.cluster, self.constant = choice.choice((1, 2, 4, 8)), choice.choice((0, 2, 3))
        self.stride = 1 + choice.randrange(3)
        result = declarations.Type("int") if function.result.scalar == "bool" else function.result
        self.values = [p for p in function.parameters if p.scalar and not p.space]
        if self.block and self.block[1] == "read":
            self.values = [declarations.Type(result.scalar, result.width)]
        if self.copy:
            self.values = [declarations.Type(function.parameters[1].scalar, function.parameters[1].width)]
            result = self.values[0]
        if self.block and self.block[1] == "write":
            result = self.values[0]
        self.results = [result] * bool(result.scalar)
        self.rows = [[[self.value(p, k) for _ in range(p.width)] for k, p in enumerate(self.values)] for _ in range(ITEMS)]
        if "ballot" in function.name and self.values[0].width == 4:
            for i in range(ITEMS):
                self.rows[i][0] = self.rows[i - lane(i)][0]

    def value(self, parameter, number):
        scalar, choice = parameter.scalar, self.choice
        if number and scalar in ("uint", "int", "size_t") and self.values[0] is not parameter and number == len(self.values) - 1:
            return choice.randrange(LANES)
        if self.fold and self.fold[4]:
            return choice.choice((0, 1, 1, 1, -7))
        if self.fold and numbers.is_float(scalar) and self.fold[5] in ("add", "mul"):
            # No order of operations changes the result.
            return choice.choice((1.0, -1.0, 2.0, 0.5)) if self.fold[5] == "mul" else choice.randrange(-32, 32) / 4
        if re.search("all|any|ballot$", self.function.name) and choice.random() < 0.6:
            return 1
        edges = [v for v in numbers.edges(scalar) if v == v and not (self.fold and v == 0)]
        return choice.choice(edges) if choice.random() < 0.6 else numbers.random_value(scalar, choice)

    def inputs(self):
        if self.block and self.block[1] == "read":
            return [numbers.packed(self.values[0].scalar, [[c] for row in self.rows for c in row[0]], 1)]
        return [numbers.packed(p.scalar, [row[k] for row in self.rows], p.step // declarations.SIZES[p.scalar])
                for k, p in enumerate(self.values)]

    def text(self, places, out):
        name, condition = self.function.name, "get_sub_group_local_id() % 3 != 1" if self.some else "1"
        if self.copy:
            return self.copying(places[0], out[0])
        if self.block:
            return self.blocks(places[0], out[0])
        if name == "prefetch":
            return f"prefetch(({self.function.parameters[0].space} {self.function.parameters[0].value}*)in, 1);\n"
        arguments = [f"((global const {p.value}*)(in + {place}))[i]" for p, place in zip(self.values, places)]
        arguments[len(arguments) - len(self.constants()):] = map(str, self.constants())
        text = f"{name}({', '.join(arguments)}); "
        if self.results:
            text = f"((global {self.results[0].value}*)(out + {out[0]}))[i] = {text}"
        return f"if ({condition}) {{ {text}}}\n"

    def constants(self):
        """What the last parameters are, for all work-items."""
        name, count = self.function.name, len(self.values)
        if "broadcast" in name and "first" not in name:
            return [self.constant] + [0] * (count - 2)
        if name == "sub_group_clustered_rotate":
            return [self.constant, self.cluster]
        if "clustered" in name:
            return [self.cluster]
        if re.search("rotate|shuffle_(up|down)", name):
            return [self.constant]
        return [self.constant % 4] if name in DIMENSIONS else []

    def copying(self, place, out):
        type_, number = self.values[0].value, GROUP // 2
        element, near = f"((global {type_}*)(out + {out}))", f"c{out}"
        self.locals = f"local {type_} {near}[{GROUP}];\n"
        first = f"get_group_id(0) * {GROUP}"
        if self.function.parameters[0].space == "local":
            before, begin, from_ = "", near, f"(global {type_}*)(in + {place}) + {first}"
            after = f"if (get_local_id(0) < {self.copied()}) {element}[i] = {near}[get_local_id(0)]; "
        else:
            before = f"{near}[get_local_id(0)] = ((global {type_}*)(in + {place}))[i]; barrier(CLK_LOCAL_MEM_FENCE); "
            begin, from_, after = f"{element} + {first}", near, ""
        stride = f", {self.stride}" if self.copy[1] else ""
        return (f"{{ {before}event_t e = {self.function.name}({begin}, {from_}, {self.copied() if stride else number}{stride}, 0); "
                f"wait_group_events(1, &e); {after}}}\n")

    def copied(self):
        return GROUP // (2 if not self.copy[1] else self.stride + 1)

    def blocks(self, place, out):
        width, scalar = self.values[0].width, self.values[0].scalar
        pointer, value = f"(i - get_sub_group_local_id()) * {width}", self.values[0].value
        if self.block[1] == "read":
            call = f"((global {value}*)(out + {out}))[i] = {self.function.name}((const global {scalar}*)(in + {place}) + {pointer})"
        else:
            call = (f"{self.function.name}((global {scalar}*)(out + {out}) + {pointer}, "
                    f"((global const {value}*)(in + {place}))[i])")
        return f"if (get_local_id(0) < {GROUP // LANES * LANES}) {call};\n"

    def part(self, i):
        """The work-items whose values are put together with its own."""
        if self.fold[1] == "work":
            return range(i - i % GROUP, i - i % GROUP + GROUP)
        begin = i - lane(i) % self.cluster if self.fold[2] == "clustered_" else members(i)[0]
        return range(begin, min(begin + self.cluster, members(i)[-1] + 1)) if self.fold[2] == "clustered_" else members(i)

    def folded(self, i):
        scalar, operation = self.results[0].scalar, self.fold[5]
        values = [self.rows[k][0][0] for k in self.part(i) if self.here[k] and
                  (self.fold[3] == "reduce" or k < i or (k == i and self.fold[3] == "scan_inclusive"))]
        if self.fold[4]:
            values = [int(v != 0) for v in values]
            return [exact(functools.reduce(COMBINE[operation], values, int(operation == "and")))]
        value = functools.reduce(COMBINE[operation], values, identity(scalar, operation))
        return [Answer(value, either_zero=True) if numbers.is_float(scalar) else oracle.wrap(scalar, value)]

    def of(self, k, own, number=0):
        """The value of another work-item, if that takes part."""
        width = self.results[0].width
        if k not in members(own) or not self.here[k]:
            return [ANY] * width
        return [exact(value) for value in self.rows[k][number]]

    def answers(self, i):
        name, row = self.function.name, self.rows[i]
        if self.fold:
            return self.folded(i)
        if self.copy:
            return self.copied_to(i)
        if self.block:
            return self.block_of(i)
        if name.startswith("clock"):
            return [ANY] * self.results[0].width
        if name in SIZES:
            return [exact(SIZES[name](i))]
        if name in DIMENSIONS:
            return [exact(DIMENSIONS[name](i)[self.constant % 4 > 0])]
        if name.endswith("_mask"):
            return mask(k for k in range(LANES) if MASKS[name[-7:-5]](k, lane(i)))
        if name.endswith(("_all", "_any", "_all_equal", "_ballot", "elect")) and name != "sub_group_inverse_ballot":
            return self.votes(i)
        if "ballot" in name:
            return [self.of_ballot(name, row, i)]
        return self.moved(name, row, i)

    def votes(self, i):
        name = self.function.name
        all_ = range(i - i % GROUP, i - i % GROUP + GROUP) if name.startswith("work") else members(i)
        here = [k for k in all_ if self.here[k]]
        values = [self.rows[k][0][0] if self.values else 0 for k in here]
        if name.endswith("elect"):
            return [exact(int(i == here[0]))]
        if name.endswith("_ballot"):
            return mask(lane(k) for k, value in zip(here, values) if value)
        equal = len(set(values)) == 1
        return [exact(int(equal if name.endswith("equal") else all(values) if name.endswith("_all") else any(values)))]

    def of_ballot(self, name, row, i):
        bits = [k for k in range(LANES if name.endswith(("inverse_ballot", "extract")) else len(members(i))) if row[0][0] >> k & 1]
        if name.endswith("inverse_ballot"):
            return exact(int(lane(i) in bits))
        if name.endswith("bit_extract"):
            return exact(int(row[1][0] in bits))
        if name.endswith(("lsb", "msb")):
            return exact(bits[0 if name.endswith("lsb") else -1]) if bits else ANY
        end = {"bit_count": LANES, "inclusive_scan": lane(i) + 1, "exclusive_scan": lane(i)}[name.removeprefix("sub_group_ballot_")]
        return exact(len([k for k in bits if k < end]))

    def moved(self, name, row, i):
        first, own = members(i)[0], lane(i)
        if name.startswith("work_group_broadcast"):
            return [exact(value) for value in self.rows[i - i % GROUP + self.constant][0]]
        if name.endswith("broadcast_first"):
            return self.of(next(k for k in members(i) if self.here[k]), i)
        if "broadcast" in name:
            return self.of(first + self.constant, i)
        if name == "sub_group_clustered_rotate":
            return self.of(first + own // self.cluster * self.cluster + (own + self.constant) % self.cluster, i)
        if name == "sub_group_rotate":
            return self.of(first + (own + self.constant) % LANES, i)
        if name.startswith("intel") and name.endswith(("_up", "_down")):
            to = own + (self.constant if name.endswith("down") else -self.constant)
            current = 0 if name.endswith("down") else 1
            return self.of(first + to % LANES, i, current if 0 <= to < LANES else 1 - current)
        by = self.constant if name.endswith(("_up", "_down")) else row[1][0]
        to = {"up": own - by, "down": own + by, "xor": own ^ by}.get(name.rsplit("_", 1)[1], by)
        return self.of(first + to, i)

    def copied_to(self, i):
        own, first, count = i % GROUP, i - i % GROUP, self.copied()
        if not self.copy[1]:
            from_ = own if own < count else -1
        elif self.function.parameters[0].space == "local":
            from_ = own * self.stride if own < count else -1
        else:
            from_ = own // self.stride if own % self.stride == 0 and own // self.stride < count else -1
        return [exact(value) for value in (self.rows[first + from_][0] if from_ >= 0 else [0] * self.values[0].width)]

    def block_of(self, i):
        width, first = self.values[0].width, i - lane(i)
        if i % GROUP >= GROUP // LANES * LANES:
            return [ANY if self.block[1] == "read" else exact(0)] * width
        if self.block[1] == "read":
            all_ = [value for row in self.rows[first: first + LANES] for value in row[0]]
            return [exact(all_[c * LANES + lane(i)]) for c in range(width)]
        places = [(lane(i) * width + c) for c in range(width)]
        return [exact(self.rows[first + place % LANES][0][place // LANES]) for place in places]

    def wrong(self, outputs):
        texts, compared = [], 0
        for i in range(ITEMS if self.results else 0):
            if not self.here[i]:
                continue
            for c, answer in enumerate(self.answers(i)):
                compared += answer.value is not None
                got = outputs[0][i][c]
                if not is_right(got, answer, self.results[0].scalar):
                    texts.append(f"{self.function}: item {i} [{c}], of {self.rows[i]}: {got!r} instead of {answer}")
        return texts, compared


def mask(lanes):
    return [exact(sum(1 << k for k in lanes))] + [exact(0)] * 3
