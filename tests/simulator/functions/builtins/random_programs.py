"""Random kernels over half numbers, and over C11 atomics that work-items share, beside a plain model.

Each statement has its text and what it does to the variables of a work-item.
"""
import fractions
import math
import random

import gputest
import numpy

import numbers_of_opencl as numbers

ITEMS, GROUP = 24, 8
PRAGMAS = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
HALF = numpy.float16


class HalfWriter:
    """Statements over the half variables a, b, c and d."""

    def __init__(self, choice):
        self.choice = choice

    def statement(self, depth):
        kinds = [self.operation, self.operation, self.fused, self.converted, self.whole, self.chosen, self.extreme]
        return self.choice.choice(kinds + [self.branch, self.loop] * (depth > 0))(depth)

    def names(self, count):
        return [self.choice.choice("abcd") for _ in range(count)]

    def operation(self, _):
        to, x, y = self.names(3)
        name, function = self.choice.choice((("+", numpy.add), ("-", numpy.subtract), ("*", numpy.multiply), ("/", numpy.divide)))
        return f"{to} = {x} {name} {y};", lambda v: v.update({to: function(v[x], v[y])})

    def fused(self, _):
        to, x, y, z = self.names(4)

        def apply(v):
            operands = [float(v[name]) for name in (x, y, z)]
            exact = operands[0] * operands[1] + operands[2]
            if all(map(math.isfinite, operands)):
                a, b, c = map(fractions.Fraction, operands)
                if a * b + c:
                    exact = numbers.rounded(a * b + c, "half")
            v[to] = HALF(exact)
        return f"{to} = fma({x}, {y}, {z});", apply

    def converted(self, _):
        to, x, y = self.names(3)
        mode = self.choice.choice(("rte", "rtz", "rtp", "rtn"))

        def apply(v):
            product = float(v[x]) * float(v[y])
            v[to] = HALF(numbers.rounded(fractions.Fraction(product), "half", mode) if product and math.isfinite(product) else product)
        return f"{to} = convert_half_{mode}((float){x} * (float){y});", apply

    def whole(self, _):
        to, x = self.names(2)
        mode = self.choice.choice(("rte", "rtz", "rtp", "rtn"))

        def apply(v):
            x_ = float(v[x])
            low, high = numbers.limits("short")
            value = 0 if x_ != x_ else high if x_ == math.inf else low if x_ == -math.inf else numbers.whole(x_, mode)
            v[to] = HALF(min(max(value, low), high))
        return f"{to} = convert_half(convert_short_sat_{mode}({x}));", apply

    def condition(self):
        x, y = self.names(2)
        name, function = self.choice.choice((("<", numpy.less), (">=", numpy.greater_equal), ("!=", numpy.not_equal)))
        return f"{x} {name} {y}", lambda v: bool(function(v[x], v[y]))

    def chosen(self, _):
        to, x, y = self.names(3)
        text, holds = self.condition()
        return f"{to} = {text} ? {x} : -{y};", lambda v: v.update({to: v[x] if holds(v) else -v[y]})

    def extreme(self, _):
        to, x, y = self.names(3)

        def apply(v):  # a sum, so that the sign of zero does not matter
            v[to] = numpy.fmax(v[x], v[y]) + HALF(1)
        return f"{to} = fmax({x}, {y}) + 1.0h;", apply

    def block(self, depth):
        return [self.statement(depth) for _ in range(1 + self.choice.randrange(3))]

    def branch(self, depth):
        text, holds = self.condition()
        then, other = self.block(depth - 1), self.block(depth - 1)
        return (f"if ({text}) {{\n{text_of(then)}}} else {{\n{text_of(other)}}}",
                lambda v: apply_all(then if holds(v) else other, v))

    def loop(self, depth):
        times, body = 1 + self.choice.randrange(3), self.block(depth - 1)
        return f"for (int k = 0; k < {times}; ++k) {{\n{text_of(body)}}}", lambda v: [apply_all(body, v) for _ in range(times)]


def text_of(statements):
    return "".join(text + "\n" for text, _ in statements)


def apply_all(statements, variables):
    for _, apply in statements:
        apply(variables)


def wrong_halves(choice):
    """What is wrong with a random kernel over half, or ''."""
    writer = HalfWriter(choice)
    statements = [writer.statement(2) for _ in range(5 + choice.randrange(8))]
    edges = numbers.edges("half")
    start = numpy.array([[choice.choice(edges) if choice.random() < 0.4 else numbers.random_value("half", choice) for _ in "abcd"]
                         for _ in range(ITEMS)], HALF)
    text = (f"{PRAGMAS}kernel void k(global half* in, global half* out) {{\nconst size_t i = get_global_id(0);\n"
            "half a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];\n"
            f"{text_of(statements)}out[4 * i] = a; out[4 * i + 1] = b; out[4 * i + 2] = c; out[4 * i + 3] = d;\n}}\n")
    out = numpy.zeros(4 * ITEMS, HALF)
    found = run(text, start.reshape(-1), out)
    expected = []
    for row in start:
        variables = dict(zip("abcd", row))
        apply_all(statements, variables)
        expected += [variables[name] for name in "abcd"]
    expected = numpy.array(expected, HALF)
    same = (out.view(numpy.uint16) == expected.view(numpy.uint16)) | (numpy.isnan(out) & numpy.isnan(expected))
    if same.all() and not found:
        return ""
    return f"{found}\n{text}{start[~same.reshape(-1, 4).all(1)][:1]}\n{out[~same][:4]} instead of {expected[~same][:4]}"


# Changes of an object whose order does not matter: OpenCL's name, and the same in Python.
CHANGES = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "and": lambda x, y: x & y, "or": lambda x, y: x | y,
           "xor": lambda x, y: x ^ y, "min": min, "max": max}
ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


class Objects:
    """Atomic objects of a type, in a memory, each changed in one way between two barriers."""

    def __init__(self, choice, scalar, where):
        self.choice, self.scalar, self.where = choice, scalar, where
        self.ways = [choice.choice(list(CHANGES) + ["loop"]) for _ in range(4)]

    def wrapped(self, value):
        low, high = numbers.limits(self.scalar)
        return (value - low) % (high - low + 1) + low

    def update(self):
        """A statement, and a function from the objects, the item's number and its x to nothing."""
        choice, at, by = self.choice, self.choice.randrange(4), self.choice.randrange(1, 9)
        way, name = self.ways[at], f"&{self.where}[{at}]"
        order = choice.choice(ORDERS)
        scope = choice.choice(("work_group", "device")) if self.where == "near" else "device"
        if way == "loop":
            text = (f"{{ {self.scalar} old = atomic_load_explicit({name}, memory_order_relaxed, memory_scope_{scope});\n"
                    f"while (!atomic_compare_exchange_weak_explicit({name}, &old, ({self.scalar})(old * 3 + 1), memory_order_{order}, "
                    f"memory_order_relaxed, memory_scope_{scope})) {{}} }}")

            def apply(objects, _):
                objects[at] = self.wrapped(objects[at] * 3 + 1)
        else:
            if choice.random() < 0.3 and order == "seq_cst":
                text = f"atomic_fetch_{way}({name}, ({self.scalar})(x * {by}));"
            else:
                text = f"atomic_fetch_{way}_explicit({name}, ({self.scalar})(x * {by}), memory_order_{order}, memory_scope_{scope});"

            def apply(objects, x):
                objects[at] = self.wrapped(CHANGES[way](objects[at], self.wrapped(x * by)))
        if choice.random() < 0.4:
            modulus = 2 + choice.randrange(3)
            return f"if (i % {modulus} == 0) {{ {text} }}", lambda o, i, x: apply(o, x) if i % modulus == 0 else None
        return text, lambda o, i, x: apply(o, x)


def wrong_atomics(choice):
    """What is wrong with a random kernel over atomics, or ''."""
    scalar = choice.choice(("int", "uint", "long", "ulong"))
    far = Objects(choice, scalar, "far")
    dtype = numbers.DTYPES[scalar]
    start = [numbers.random_value(scalar, choice) for _ in range(4)]
    x = [numbers.random_value(scalar, choice) for _ in range(ITEMS)]
    given = numpy.array(x, dtype)
    shared = numpy.array(start, dtype)
    near = [[0] * 4 for _ in range(ITEMS // GROUP)]
    body = ""
    for _ in range(1 + choice.randrange(3)):
        phase = Objects(choice, scalar, "near")
        for objects in choice.choices((far, phase), k=1 + choice.randrange(4)):
            text, apply = objects.update()
            body += text + "\n"
            for i in range(ITEMS):
                apply(start if objects is far else near[i // GROUP], i, x[i])
        taken = choice.randrange(4)
        load = f"atomic_load_explicit(&near[{taken}], memory_order_relaxed, memory_scope_work_group)"
        body += f"barrier(CLK_LOCAL_MEM_FENCE);\nx += {load};\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        x = [far.wrapped(value + near[i // GROUP][taken]) for i, value in enumerate(x)]
    text = (f"kernel void k(global atomic_{scalar}* far, global {scalar}* in, global {scalar}* out) {{\n"
            f"const size_t i = get_global_id(0);\nlocal atomic_{scalar} near[4];\n"
            "if (get_local_id(0) == 0)\nfor (int k = 0; k < 4; ++k) atomic_init(&near[k], 0);\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
            f"{scalar} x = in[i];\n{body}out[i] = x;\n}}\n")
    out = numpy.zeros(ITEMS, dtype)
    found = run(text, shared, given, out)
    if not found and shared.tolist() == start and out.tolist() == x:
        return ""
    return f"{found}\n{text}{shared.tolist()} instead of {start}\n{out.tolist()} instead of {x}"


def run(text, *arguments):
    """Runs the kernel with checks; the text of what they find, or ''."""
    try:
        gputest.run_kernel(gputest.source_text(text), "k", *arguments, device="simulator", global_size=ITEMS, local_size=GROUP,
                           checks=["races", "barriers", "bounds"], cl_std="CL3.0")
    except gputest.Error as error:
        return str(error)
    return ""


def faults_of(count):
    faults = []
    for seed in range(1, count + 1):
        for wrong in (wrong_halves, wrong_atomics):
            text = wrong(random.Random(seed))
            if text:
                faults.append(f"{wrong.__name__}, seed {seed}: {text}")
    print(f"{2 * count} random kernels, {len(faults)} wrong", flush=True)
    return faults


if __name__ == "__main__":
    import sys
    numpy.seterr(all="ignore")
    print("\n".join(faults_of(int(sys.argv[1]))[:4]))
