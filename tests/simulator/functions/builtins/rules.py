"""Which answers each function gives: a row for each name, by families.

A row of COMPONENTS has the function and one argument of each parameter; a row of VECTORS whole vectors, as lists.
"""
import math
import re

import atomics
import groups
import images
import numbers_of_opencl as numbers
import oracle
from oracle import ANY, Answer, exact, is_nan

COMPONENTS, VECTORS, FAMILY = {}, {}, {}


def first(function):
    return function.parameters[0].scalar


def add(family, table, rows):
    for name, rule in rows.items():
        table[name] = rule
        FAMILY[name] = family


add("math", COMPONENTS, {name: (lambda f, *a, n=name: oracle.bounded(n, first(f), *a)) for name in oracle.BOUNDED})
add("half_ and native_", COMPONENTS, {name: (lambda f, *a, n=name: oracle.coarse(n, *a)) for name in oracle.COARSE})
add("half_ and native_", COMPONENTS,
    {name.replace("half_", "native_"): (lambda f, *a: ANY) for name in oracle.COARSE})
add("math", COMPONENTS, {
    "ceil": lambda f, x: exact(oracle.keep_sign(math.ceil, x)), "floor": lambda f, x: exact(oracle.keep_sign(math.floor, x)),
    "trunc": lambda f, x: exact(oracle.keep_sign(math.trunc, x)), "rint": lambda f, x: exact(oracle.keep_sign(round, x)),
    "round": lambda f, x: exact(oracle.keep_sign(oracle.half_away, x)),
    "fabs": lambda f, x: exact(abs(x)), "copysign": lambda f, x, y: exact(math.copysign(x, y)),
    "fdim": lambda f, x, y: oracle.fdim(first(f), x, y), "fma": lambda f, x, y, z: oracle.fma(first(f), x, y, z),
    "mad": lambda f, x, y, z: oracle.mad(first(f), x, y, z), "fmax": lambda f, x, y: oracle.fmax(x, y),
    "fmin": lambda f, x, y: oracle.fmin(x, y), "maxmag": lambda f, x, y: oracle.maxmag(x, y),
    "minmag": lambda f, x, y: oracle.minmag(x, y), "fmod": lambda f, x, y: oracle.fmod(x, y),
    "remainder": lambda f, x, y: oracle.remainder(x, y), "ilogb": lambda f, x: oracle.ilogb(x),
    "logb": lambda f, x: oracle.logb(x), "ldexp": lambda f, x, n: oracle.ldexp(first(f), x, n),
    "nextafter": lambda f, x, y: oracle.nextafter(first(f), x, y), "nan": lambda f, x: exact(math.nan),
    "lgamma": lambda f, x: oracle.lgamma(x)})
# With a second result behind a pointer.
add("math", COMPONENTS, {
    "fract": lambda f, x: oracle.fract(first(f), x), "modf": lambda f, x: oracle.modf(x), "frexp": lambda f, x: oracle.frexp(x),
    "sincos": lambda f, x: (oracle.bounded("sin", first(f), x), oracle.bounded("cos", first(f), x)),
    "lgamma_r": lambda f, x: (oracle.lgamma(x), oracle.sign_of_gamma(x)), "remquo": lambda f, x, y: oracle.remquo(x, y)})


def clamp(f, x, low, high):
    if is_nan(x) or is_nan(low) or is_nan(high) or low > high:
        return ANY
    return Answer(min(max(x, low), high), either_zero=True)


def extreme(choose):
    def rule(f, x, y):
        if numbers.is_float(first(f)):
            return ANY if is_nan(x) or is_nan(y) else Answer(choose(x, y), either_zero=True)
        return exact(choose(x, y))
    return rule


add("common", COMPONENTS, {
    "clamp": clamp, "max": extreme(oracle.larger), "min": extreme(oracle.smaller),
    "mix": lambda f, x, y, a: oracle.mix(first(f), x, y, a),
    "step": lambda f, edge, x: ANY if is_nan(edge) or is_nan(x) else exact(0.0 if x < edge else 1.0),
    "smoothstep": lambda f, low, high, x: oracle.smoothstep(f.result.scalar, low, high, x),
    "sign": lambda f, x: exact(0.0 if is_nan(x) else x if x == 0 else math.copysign(1.0, x))})
add("integer", COMPONENTS, {
    "abs": lambda f, x: exact(abs(x)), "abs_diff": lambda f, x, y: exact(abs(x - y)),
    "add_sat": lambda f, x, y: oracle.saturated(first(f), x + y), "sub_sat": lambda f, x, y: oracle.saturated(first(f), x - y),
    "hadd": lambda f, x, y: exact((x + y) >> 1), "rhadd": lambda f, x, y: exact((x + y + 1) >> 1),
    "clz": lambda f, x: exact(oracle.bits_of(first(f)) - oracle.unsigned(first(f), x).bit_length()),
    "ctz": lambda f, x: exact((x & -x).bit_length() - 1 if x else oracle.bits_of(first(f))),
    "popcount": lambda f, x: exact(bin(oracle.unsigned(first(f), x)).count("1")),
    "mul_hi": lambda f, x, y: exact((x * y) >> oracle.bits_of(first(f))),
    "mad_hi": lambda f, x, y, z: oracle.wrap(first(f), ((x * y) >> oracle.bits_of(first(f))) + z),
    "mad_sat": lambda f, x, y, z: oracle.saturated(first(f), x * y + z),
    "rotate": lambda f, x, n: oracle.rotate(first(f), x, n),
    "mul24": lambda f, x, y: oracle.wrap(first(f), x * y) if oracle.in_24(first(f), x, y) else ANY,
    "mad24": lambda f, x, y, z: oracle.wrap(first(f), x * y + z) if oracle.in_24(first(f), x, y) else ANY,
    "upsample": lambda f, x, y: exact((x << oracle.bits_of(first(f))) | y)})
add("bits", COMPONENTS, {
    "bit_reverse": lambda f, x: oracle.wrap(first(f), int(f"{oracle.unsigned(first(f), x):0{oracle.bits_of(first(f))}b}"[::-1], 2)),
    "bitfield_extract_signed": lambda f, *a: oracle.field(True)(f.result.scalar, first(f), *a),
    "bitfield_extract_unsigned": lambda f, *a: oracle.field(False)(f.result.scalar, first(f), *a),
    "bitfield_insert": lambda f, *a: oracle.insert(first(f), *a)})


def truth(test):
    return lambda f, *a: exact(int(test(*a)) * (1 if f.result.width == 1 else -1))


add("relational", COMPONENTS, {
    "isequal": truth(lambda x, y: x == y), "isnotequal": truth(lambda x, y: x != y), "isgreater": truth(lambda x, y: x > y),
    "isgreaterequal": truth(lambda x, y: x >= y), "isless": truth(lambda x, y: x < y),
    "islessequal": truth(lambda x, y: x <= y), "islessgreater": truth(lambda x, y: x < y or x > y),
    "isordered": truth(lambda x, y: x == x and y == y), "isunordered": truth(lambda x, y: x != x or y != y),
    "isfinite": truth(math.isfinite), "isinf": truth(math.isinf), "isnan": truth(is_nan),
    "signbit": truth(lambda x: math.copysign(1, x) < 0),
    "bitselect": lambda f, x, y, c: oracle.bitselect(first(f), x, y, c)})


def isnormal(f, x):
    smallest = 2.0 ** numbers.FORMATS[first(f)][1]
    return truth(lambda: math.isfinite(x) and abs(x) >= smallest)(f)


def select(f, x, y, c):
    chooses = c if f.result.width == 1 else oracle.unsigned(f.parameters[2].scalar, c) >> (oracle.bits_of(f.parameters[2].scalar) - 1)
    return exact(y if chooses else x)


add("relational", COMPONENTS, {"isnormal": isnormal, "select": select})


def convert(f, x):
    match = re.match(r"convert_[a-z]+\d*(_sat)?(?:_(rt.))?$", f.name)
    saturates, mode, from_, to = match[1], match[2], first(f), f.result.scalar
    if numbers.is_float(to):
        if numbers.is_float(from_) and (not math.isfinite(x) or x == 0):
            return exact(x)
        return exact(math.copysign(numbers.rounded(numbers.fractions.Fraction(x), to, mode or "rte"), x))
    if not numbers.is_float(from_):
        return (oracle.saturated if saturates else oracle.wrap)(to, x)
    if not math.isfinite(x):
        return ANY if not saturates else exact(0 if is_nan(x) else numbers.limits(to)[x > 0])
    low, high = numbers.limits(to)
    value = numbers.whole(x, mode or "rtz")
    return exact(min(max(value, low), high)) if saturates or low <= value <= high else ANY


# Vectors.
def of_squares(finish, ulps):
    def rule(f, *vectors):
        x = [a - b for a, b in zip(vectors[0], vectors[1])] if len(vectors) == 2 else vectors[0]
        scalar = first(f)
        precision, smallest = numbers.FORMATS[scalar]
        sizes = [abs(value) for value in x]
        extreme_ = 2.0 ** (-smallest / 2 - 4)
        operands = [abs(value) for vector in vectors for value in vector]
        if any(is_nan(s) or s > extreme_ for s in sizes + operands) or max(sizes) < 1 / extreme_ * 2.0**precision:
            return [ANY] * f.result.width
        size = math.sqrt(sum(s * s for s in sizes))
        lost = sum(operands) * 2.0**-precision if len(vectors) == 2 else 0
        return [Answer(value, ulps, absolute=lost * 2) for value in finish(x, size)]
    return rule


def dot(f, x, y):
    scalar = first(f)
    if not numbers.is_float(scalar):
        return [exact(sum(a * b for a, b in zip(x, y)))]
    products = [a * b for a, b in zip(x, y)]
    if not all(map(math.isfinite, products)):
        return [ANY]
    return [oracle.near(scalar, float(sum(map(oracle.Long, products))), sum(map(abs, products)), 8)]


def cross(f, x, y):
    pairs = [(x[1] * y[2], x[2] * y[1]), (x[2] * y[0], x[0] * y[2]), (x[0] * y[1], x[1] * y[0])]
    answers = [oracle.near(first(f), a - b, abs(a) + abs(b), 8) if math.isfinite(a) and math.isfinite(b) else ANY for a, b in pairs]
    return answers + [exact(0.0)] * (f.result.width == 4)


def shuffled(f, *vectors):
    values = [value for vector in vectors[:-1] for value in vector]
    return [exact(values[index % len(values)]) for index in vectors[-1]]


def voted(test):
    return lambda f, x: [exact(int(test(oracle.unsigned(first(f), v) >> (oracle.bits_of(first(f)) - 1) for v in x)))]


def unpacked(word, is_signed):
    return [byte - 256 if is_signed and byte > 127 else byte for byte in ((word >> shift) & 255 for shift in (0, 8, 16, 24))]


def packed_dot(kinds, saturates):
    def rule(f, x, y, *more):
        total = sum(a * b for a, b in zip(unpacked(x[0], kinds[0] == "s"), unpacked(y[0], kinds[1] == "s")))
        return [oracle.saturated(f.result.scalar, total + more[0][0]) if saturates else exact(total)]
    return rule


LENGTH, DISTANCE, NORMAL = (of_squares(lambda x, size: [size], 6), of_squares(lambda x, size: [size], 8),
                            of_squares(lambda x, size: [value / size for value in x], 6))
FAST_LENGTH, FAST_NORMAL = of_squares(lambda x, size: [size], 8192), of_squares(lambda x, size: [v / size for v in x], 8192)
add("geometric", VECTORS, {"dot": dot, "cross": cross, "length": LENGTH, "distance": DISTANCE, "normalize": NORMAL,
                           "fast_length": FAST_LENGTH, "fast_distance": FAST_LENGTH, "fast_normalize": FAST_NORMAL})
add("shuffle", VECTORS, {"shuffle": shuffled, "shuffle2": shuffled})
add("relational", VECTORS, {"any": voted(any), "all": voted(all)})
for kinds_ in ("ss", "su", "us", "uu"):
    result = "uint" if kinds_ == "uu" else "int"
    add("integer dot product", VECTORS, {f"dot_4x8packed_{kinds_}_{result}": packed_dot(kinds_, False),
                                         f"dot_acc_sat_4x8packed_{kinds_}_{result}": packed_dot(kinds_, True)})
add("integer dot product", VECTORS, {
    "dot_acc_sat": lambda f, x, y, z: [oracle.saturated(f.result.scalar, sum(a * b for a, b in zip(x, y)) + z[0])]})


def family_of(f):
    if f.name.startswith("convert_"):
        return "convert"
    if f.name == "dot" and not numbers.is_float(first(f)):
        return "integer dot product"
    if re.match(r"v(load|store)a?(_half)?\d*(_rt.)?$", f.name):
        return "vector data"
    if atomics.NAME.match(f.name):
        return "atomics"
    if images.is_of_images(f):
        return "images"
    if groups.is_of_groups(f):
        return "copies" if f.name.startswith(("async", "prefetch")) else "groups"
    return FAMILY.get(f.name, "")


def answers_of(f, rows):
    """The answers of one work-item, whose arguments are lists of components: for each result a list."""
    if f.name in VECTORS:
        return [VECTORS[f.name](f, *rows)]
    rule = convert if f.name.startswith("convert_") else COMPONENTS[f.name]
    width = f.result.width
    parts = [rule(f, *(row[i] if len(row) > 1 else row[0] for row in rows)) for i in range(width)]
    parts = [part if isinstance(part, tuple) else (part,) for part in parts]
    return [list(column) for column in zip(*parts)]
