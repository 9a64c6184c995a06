"""What OpenCL C's functions of numbers give, component by component, without OpenCL (OpenCL C 3.0, 6.15, 7.4, 7.5).

Each takes Python's numbers, and answers an Answer, or several where the function has more results.
"""
import ctypes
import dataclasses
import fractions
import math

import numpy

import numbers_of_opencl as numbers

Long = numpy.longdouble
PI = Long("3.14159265358979323846264338327950288")


@dataclasses.dataclass
class Answer:
    value: object  # None: anything
    ulps: float = 0  # float results: how far they may be off
    absolute: float = 0  # likewise
    either_zero: bool = False  # the sign of zero does not matter
    also: object = None  # another right value


ANY = Answer(None)


def exact(value):
    return Answer(value)


def is_nan(value):
    return value != value


# Math functions with a bound: float, double, half (7.4; half: cl_khr_fp16).
def of_pi(value):
    """sin, cos, tan of pi * value: exact up to the last step."""
    rest = math.fmod(value, 2)
    return Long(rest)


def sinpi(x):
    if math.isinf(x) or is_nan(x):
        return Long("nan")
    rest = of_pi(x)
    if rest == 0 or abs(rest) == 1:
        return Long(math.copysign(0, x))
    if abs(rest) > Long(0.5):
        rest = (1 - abs(rest)) * numpy.sign(rest)
    return numpy.sin(rest * PI)


def cospi(x):
    if math.isinf(x) or is_nan(x):
        return Long("nan")
    rest = abs(of_pi(x))
    if rest > 1:
        rest = 2 - rest
    return numpy.sin((Long(0.5) - rest) * PI) if rest != Long(0.5) else Long(0)


def tanpi(x):
    if math.isinf(x) or is_nan(x):
        return Long("nan")
    x = float(x)
    whole = math.floor(x)
    if x == whole:
        odd = whole % 2 != 0
        return Long(math.copysign(0, -x if odd else x))
    if x - whole == 0.5:
        return Long("inf") if whole % 2 == 0 else -Long("inf")
    return sinpi(x) / cospi(x)


def libm(name):
    function = getattr(ctypes.CDLL("libm.so.6"), name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return lambda x: Long(function(float(x)))


def rootn(x, n):
    if is_nan(x) or n == 0:
        return Long("nan")
    odd = n % 2 != 0
    if x == 0:
        zero = Long(math.inf) if n < 0 else Long(0)
        return numpy.copysign(zero, Long(x)) if odd else zero
    if x < 0 and not odd:
        return Long("nan")
    root = numpy.power(Long(abs(x)), 1 / Long(n))
    if abs(n) == 2:
        root = numpy.sqrt(Long(abs(x))) if n > 0 else 1 / numpy.sqrt(Long(abs(x)))
    return -root if x < 0 else root


def power(x, y):
    """libm's powl takes some large even exponents of an infinity for odd ones."""
    return Long(math.pow(x, y)) if math.isinf(x) and math.isfinite(y) else numpy.power(Long(x), Long(y))


def powr(x, y):
    if is_nan(x) or is_nan(y) or x < 0 or (x == 0 and y == 0) or (math.isinf(x) and y == 0) or (x == 1 and math.isinf(y)):
        return Long("nan")
    return numpy.power(abs(Long(x)), Long(y))


def rsqrt(x):
    return 1 / numpy.sqrt(Long(x))


def ten_to(x):
    return numpy.power(Long(10), Long(x))


BOUNDED = {  # name: the function, bounds of float, double, half
    "acos": (numpy.arccos, 4, 4, 2), "acosh": (numpy.arccosh, 4, 4, 2), "acospi": (lambda x: numpy.arccos(x) / PI, 5, 5, 2),
    "asin": (numpy.arcsin, 4, 4, 2), "asinh": (numpy.arcsinh, 4, 4, 2), "asinpi": (lambda x: numpy.arcsin(x) / PI, 5, 5, 2),
    "atan": (numpy.arctan, 5, 5, 2), "atanh": (numpy.arctanh, 5, 5, 2), "atanpi": (lambda x: numpy.arctan(x) / PI, 5, 5, 2),
    "atan2": (numpy.arctan2, 6, 6, 2), "atan2pi": (lambda y, x: numpy.arctan2(y, x) / PI, 6, 6, 2),
    "cbrt": (numpy.cbrt, 2, 2, 2), "cos": (numpy.cos, 4, 4, 2), "cosh": (numpy.cosh, 4, 4, 2), "cospi": (cospi, 4, 4, 2),
    "erf": (libm("erf"), 16, 16, 4), "erfc": (libm("erfc"), 16, 17, 4), "exp": (numpy.exp, 3, 3, 2),
    "exp2": (numpy.exp2, 3, 3, 2), "exp10": (ten_to, 3, 3, 2), "expm1": (numpy.expm1, 3, 3, 2), "hypot": (numpy.hypot, 4, 4, 2),
    "log": (numpy.log, 3, 3, 2), "log2": (numpy.log2, 3, 3, 2), "log10": (numpy.log10, 3, 3, 2), "log1p": (numpy.log1p, 2, 2, 2),
    "pow": (power, 16, 16, 4), "pown": (lambda x, n: numpy.power(Long(x), Long(n)), 16, 16, 4), "powr": (powr, 16, 16, 4),
    "rootn": (rootn, 16, 16, 4), "rsqrt": (rsqrt, 2, 2, 1), "sin": (numpy.sin, 4, 4, 2), "sinh": (numpy.sinh, 4, 4, 2),
    "sinpi": (sinpi, 4, 4, 2), "sqrt": (numpy.sqrt, 3, 0.5, 0.5), "tan": (numpy.tan, 5, 5, 2), "tanh": (numpy.tanh, 5, 5, 2),
    "tanpi": (tanpi, 6, 6, 2), "tgamma": (libm("tgamma"), 16, 26, 4),
    "degrees": (lambda x: x * 180 / PI, 2, 2, 2), "radians": (lambda x: x * PI / 180, 2, 2, 2)}
AT_BOUND = {"float": 0, "double": 1, "half": 2}
# Those whose zeros may have either sign.
LOOSE_ZERO = {"sinpi", "cospi", "hypot", "erfc", "cos"}
COARSE = {"half_cos": numpy.cos, "half_sin": numpy.sin, "half_tan": numpy.tan, "half_exp": numpy.exp, "half_exp2": numpy.exp2,
          "half_exp10": ten_to, "half_log": numpy.log, "half_log2": numpy.log2, "half_log10": numpy.log10,
          "half_recip": lambda x: 1 / x, "half_rsqrt": rsqrt, "half_sqrt": numpy.sqrt, "half_divide": lambda x, y: x / y,
          "half_powr": powr}


def bounded(name, scalar, *arguments):
    function, *bounds = BOUNDED[name]
    return Answer(function(*(Long(argument) for argument in arguments)), bounds[AT_BOUND[scalar]], either_zero=name in LOOSE_ZERO)


def coarse(name, *arguments):
    if any(not math.isfinite(argument) or not (2.0**-16 <= abs(argument) <= 2.0**16) for argument in arguments):
        return ANY
    value = COARSE[name](*(Long(argument) for argument in arguments))
    if not 2.0**-100 < abs(value) < 2.0**100:
        return ANY
    # Sines near their zeros: an error of the argument counts.
    return Answer(value, 8192, absolute=1e-3 if name in ("half_sin", "half_cos", "half_tan") else 0)


def larger(x, y):
    return y if x < y else x


def smaller(x, y):
    return y if y < x else x


def fmax(x, y):
    return Answer(y if is_nan(x) else x if is_nan(y) else larger(x, y), either_zero=True)


def fmin(x, y):
    return Answer(y if is_nan(x) else x if is_nan(y) else smaller(x, y), either_zero=True)


def maxmag(x, y):
    return exact(x) if abs(x) > abs(y) else exact(y) if abs(y) > abs(x) else fmax(x, y)


def minmag(x, y):
    return exact(x) if abs(x) < abs(y) else exact(y) if abs(y) < abs(x) else fmin(x, y)


def fma(scalar, x, y, z):
    if not all(map(math.isfinite, (x, y, z))):
        with numpy.errstate(all="ignore"):
            product = Long(0) if math.isfinite(x) and math.isfinite(y) else Long(x) * Long(y)
            return exact(float(product + Long(z)))
    product = fractions.Fraction(x) * fractions.Fraction(y)
    sum_ = product + fractions.Fraction(z)
    if sum_ == 0:
        negative = math.copysign(1, x) * math.copysign(1, y)
        both = negative < 0 and math.copysign(1, z) < 0 and product == 0 and z == 0
        return exact(-0.0 if both else (z if product == 0 and z == 0 and negative == math.copysign(1, z) else 0.0))
    return exact(numbers.rounded(sum_, scalar, negative_zero=sum_ < 0) or math.copysign(0, sum_))


def mad(scalar, x, y, z):
    with numpy.errstate(all="ignore"):
        dtype = numbers.DTYPES[scalar]
        return Answer(fma(scalar, x, y, z).value, also=float(dtype(dtype(x) * dtype(y)) + dtype(z)), either_zero=True)


def fmod(x, y):
    if is_nan(x) or is_nan(y) or math.isinf(x) or y == 0:
        return exact(math.nan)
    return exact(math.fmod(x, y))


def remainder(x, y):
    if is_nan(x) or is_nan(y) or math.isinf(x) or y == 0:
        return exact(math.nan)
    return exact(math.copysign(0, x) if math.remainder(x, y) == 0 else math.remainder(x, y))


def remquo(x, y):
    rest = remainder(x, y)
    if is_nan(rest.value):
        return rest, ANY  # at least in some versions 0
    if math.isinf(y):
        return rest, exact(0)
    quotient = int((fractions.Fraction(x) - fractions.Fraction(rest.value)) / fractions.Fraction(y))
    return rest, Answer(quotient, also="low bits")


def fdim(scalar, x, y):
    if is_nan(x) or is_nan(y):
        return exact(math.nan)
    with numpy.errstate(over="ignore"):
        return exact(float(numbers.DTYPES[scalar](x) - numbers.DTYPES[scalar](y)) if x > y else 0.0)


def ilogb(x):
    if x == 0 or is_nan(x):
        return Answer(-2**31 if x == 0 else 2**31 - 1, also=-2**31 + 1 if x == 0 else -2**31)
    return exact(2**31 - 1 if math.isinf(x) else math.frexp(x)[1] - 1)


def logb(x):
    return exact(x * x if math.isinf(x) or is_nan(x) else -math.inf if x == 0 else float(math.frexp(x)[1] - 1))


def ldexp(scalar, x, n):
    if not math.isfinite(x) or x == 0:
        return exact(x)
    value = fractions.Fraction(x) * fractions.Fraction(2) ** max(-5000, min(5000, n))
    return exact(math.copysign(numbers.rounded(value, scalar), x))


def nextafter(scalar, x, y):
    dtype = numbers.DTYPES[scalar]
    return exact(y if x == y else float(numpy.nextafter(dtype(x), dtype(y))))


def fract(scalar, x):
    if is_nan(x):
        return exact(x), exact(x)
    if math.isinf(x):
        return exact(math.copysign(0, x)), exact(x)
    precision = numbers.FORMATS[scalar][0]
    part = numbers.rounded(fractions.Fraction(x) - math.floor(x), scalar)
    return exact(min(math.copysign(part, x) if x == 0 else part, 1 - 2.0**-precision)), exact(keep_sign(math.floor, x))


def modf(x):
    if is_nan(x):
        return exact(x), exact(x)
    return exact(math.copysign(0, x) if math.isinf(x) else math.modf(x)[0]), exact(keep_sign(math.trunc, x))


def frexp(x):
    if math.isinf(x) or is_nan(x):
        return exact(x), ANY
    part, exponent = math.frexp(x)
    return exact(part), exact(exponent)


def keep_sign(function, x):
    return math.copysign(float(function(x)), x) if math.isfinite(x) else x


def half_away(x):
    return math.floor(fractions.Fraction(abs(x)) + fractions.Fraction(1, 2))


def lgamma(x):
    value = libm("lgamma")(x)
    return Answer(value, 1e5, absolute=1e-3 * max(1.0, abs(float(value)) if math.isfinite(value) else 1.0))


def sign_of_gamma(x):
    if not math.isfinite(x) or (x <= 0 and x == math.floor(x)):
        return ANY
    return exact(1 if x > 0 or math.floor(x) % 2 == 0 else -1)


# Common functions: formulas with roundings in between.
def near(scalar, value, size, steps=6):
    if not math.isfinite(value) or size > float(numpy.finfo(numbers.DTYPES[scalar]).max) / 8:
        return ANY
    precision, smallest = numbers.FORMATS[scalar]
    return Answer(value, absolute=steps * size * 2.0**-precision + steps / 2 * 2.0 ** (smallest - precision + 1), either_zero=True)


def mix(scalar, x, y, a):
    if not all(map(math.isfinite, (x, y, a))):
        return ANY
    return near(scalar, float(Long(x) + (Long(y) - Long(x)) * Long(a)), abs(x) + (abs(x) + abs(y)) * (abs(a) + 1))


def smoothstep(scalar, low, high, x):
    if not all(map(math.isfinite, (low, high, x))) or low >= high:
        return ANY
    if not max(map(abs, (low, high, x))) < float(numpy.finfo(numbers.DTYPES[scalar]).max) / 4:
        return ANY
    if high - low < 2.0 ** (numbers.FORMATS[scalar][1] + 2):  # a denormal quotient
        return ANY
    error = (abs(float(x)) + abs(low)) * 2.0 ** -numbers.FORMATS[scalar][0] / float(Long(high) - Long(low))
    t = min(max((Long(x) - Long(low)) / (Long(high) - Long(low)), Long(0)), Long(1))
    return near(scalar, float(t * t * (3 - 2 * t)), 1 + 2 * error, 8)


# Integers.
def wrap(scalar, value):
    low, high = numbers.limits(scalar)
    return exact((value - low) % (high - low + 1) + low)


def saturated(scalar, value):
    low, high = numbers.limits(scalar)
    return exact(min(max(value, low), high))


def bits_of(scalar):
    return 8 * numpy.dtype(numbers.DTYPES[scalar]).itemsize


def unsigned(scalar, value):
    return value % 2 ** bits_of(scalar)


def rotate(scalar, x, n):
    bits = bits_of(scalar)
    n %= bits
    value = unsigned(scalar, x)
    return wrap(scalar, value << n | value >> (bits - n))


def in_24(scalar, *values):
    low, high = (-2**23, 2**23 - 1) if scalar == "int" else (0, 2**24 - 1)
    return all(low <= value <= high for value in values)


def bitselect(scalar, x, y, c):
    if numbers.is_float(scalar):
        return Answer(("bits", x, y, c))
    return wrap(scalar, (x & ~c) | (y & c))


def field(is_signed):
    def extract(result, scalar, x, offset, count):
        bits = bits_of(scalar)
        if offset + count > bits or count > bits or offset > bits:
            return ANY
        value = (unsigned(scalar, x) >> offset) & (2**count - 1)
        if is_signed and count and value >> (count - 1):
            value -= 2**count
        return wrap(result, value)
    return extract


def insert(scalar, base, added, offset, count):
    if offset + count > bits_of(scalar) or max(offset, count) > bits_of(scalar):
        return ANY
    mask = (2**count - 1) << offset
    return wrap(scalar, (unsigned(scalar, base) & ~mask) | (unsigned(scalar, added) << offset & mask))
