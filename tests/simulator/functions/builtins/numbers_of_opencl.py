"""Numbers of OpenCL's types: values at which functions change what they do, and exact rounding."""
import fractions
import math

import numpy

DTYPES = {"char": numpy.int8, "uchar": numpy.uint8, "short": numpy.int16, "ushort": numpy.uint16,
          "int": numpy.int32, "uint": numpy.uint32, "long": numpy.int64, "ulong": numpy.uint64,
          "half": numpy.float16, "float": numpy.float32, "double": numpy.float64,
          "size_t": numpy.uint64, "bool": numpy.uint8}
# Bits of the significand, and the exponent of the smallest normal number.
FORMATS = {"half": (11, -14), "float": (24, -126), "double": (53, -1022)}


def is_float(scalar):
    return scalar in FORMATS


def limits(scalar):
    info = numpy.iinfo(DTYPES[scalar])
    return int(info.min), int(info.max)


def edges(scalar):
    if not is_float(scalar):
        low, high = limits(scalar)
        bits = 8 * numpy.dtype(DTYPES[scalar]).itemsize
        all_ = [0, 1, 2, 3, 7, bits // 2, bits - 1, bits, bits + 1, high, high - 1, high // 2, high // 3, low, low + 1, low // 2,
                100, 0x55, -1, -2, -100, -bits]
        return [value for value in dict.fromkeys(all_) if low <= value <= high]
    info = numpy.finfo(DTYPES[scalar])
    big, tiny = float(info.max), float(info.tiny)
    least = float(numpy.nextafter(DTYPES[scalar](0), DTYPES[scalar](1)))
    all_ = [0.0, 1.0, 0.5, 2.0, 2.5, 3.14159, 1e-3, 0.99, 100.25, 33.0, 88.8, 104.0, 0.25, 1.5, 0.75, 7.0, 127.5, 128.0, 255.0,
            32767.5, 1e10, 2.0**31, 2.0**32, 2.0**63, 2.0**24 + 1, 2.0**52 + 1, big, big / 3, tiny, tiny * 1.5, least, least * 5,
            math.inf, math.nan]
    with numpy.errstate(over="ignore"):
        rounded = [float(DTYPES[scalar](sign * value)) for value in all_ for sign in (1, -1)]
    kept, seen = [], set()
    for value in rounded:
        if repr(value) not in seen:
            seen.add(repr(value))
            kept.append(value)
    return kept


def random_value(scalar, choice):
    if not is_float(scalar):
        low, high = limits(scalar)
        return choice.randint(low, high) >> choice.randrange(8 * numpy.dtype(DTYPES[scalar]).itemsize)
    largest = {"half": 4, "float": 20, "double": 30}[scalar]
    return float(DTYPES[scalar](choice.uniform(-1, 1) * 10.0 ** choice.randint(-largest, largest)))


def rounded(value, scalar, mode="rte", negative_zero=False):
    """The Fraction `value` in a floating-point type, as a Python float."""
    precision, smallest = FORMATS[scalar]
    if value == 0:
        return -0.0 if negative_zero else 0.0
    magnitude, negative = abs(value), value < 0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    while fractions.Fraction(2) ** exponent > magnitude:
        exponent -= 1
    while fractions.Fraction(2) ** (exponent + 1) <= magnitude:
        exponent += 1
    unit = fractions.Fraction(2) ** (max(exponent, smallest) - precision + 1)
    whole, rest = divmod(magnitude, unit)
    up = {"rte": rest * 2 > unit or (rest * 2 == unit and whole % 2), "rtz": False,
          "rtp": rest and not negative, "rtn": rest and negative}[mode]
    result = (whole + bool(up)) * unit
    largest = fractions.Fraction(float(numpy.finfo(DTYPES[scalar]).max))
    if result > largest:
        away = mode == "rte" or mode == ("rtn" if negative else "rtp")
        result = math.inf if away else float(largest)
    return -float(result) if negative else float(result)


def whole(value, mode):
    """The whole number that `value`, a finite float, is rounded to."""
    exact = fractions.Fraction(value)
    if mode == "rtz":
        return int(exact)
    if mode == "rte":
        return round(exact)
    return math.ceil(exact) if mode == "rtp" else math.floor(exact)


def packed(scalar, rows, stored):
    """Bytes of the rows, each with the place of `stored` numbers."""
    array = numpy.zeros((len(rows), stored), DTYPES[scalar])
    for i, row in enumerate(rows):
        array[i, : len(row)] = row
    return array.tobytes()
