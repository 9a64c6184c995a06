"""Whether what a device gave is what it may give."""
import math

import numpy

import numbers_of_opencl as numbers

BITS = {"half": numpy.uint16, "float": numpy.uint32, "double": numpy.uint64}


def unit_of(value, scalar):
    """The distance of numbers of the type around `value`."""
    precision, smallest = numbers.FORMATS[scalar]
    exponent = int(numpy.frexp(numpy.longdouble(value))[1]) - 1 if value else smallest
    return numpy.longdouble(2.0) ** (max(exponent, smallest) - precision + 1)


def chosen_bits(scalar, x, y, c):
    dtype, bits = numbers.DTYPES[scalar], BITS[scalar]
    x, y, c = (numpy.array(value, dtype).view(bits) for value in (x, y, c))
    return (x & ~c) | (y & c)


def is_right(got, answer, scalar):
    value = answer.value
    if value is None:
        return True
    if not numbers.is_float(scalar):
        if answer.also == "low bits":
            return abs(int(got)) & 127 == abs(value) & 127 and (int(got) < 0) == (value < 0 and value % 128 != 0) or (
                int(got) != 0 and abs(int(got)) & 127 == abs(value) & 127 and (int(got) < 0) == (value < 0))
        return int(got) in (int(value), int(value if answer.also is None else answer.also))
    dtype = numbers.DTYPES[scalar]
    if isinstance(value, tuple):
        expected = chosen_bits(scalar, *value[1:])
        return numpy.array(got, dtype).view(BITS[scalar]) == expected or bool(numpy.isnan(got) and numpy.isnan(expected.view(dtype)))
    if answer.also is not None and (got == answer.also or (numpy.isnan(got) and math.isnan(answer.also))):
        return True
    if numpy.isnan(got) or numpy.isnan(value):
        return bool(numpy.isnan(got) and numpy.isnan(value))
    with numpy.errstate(all="ignore"):
        expected = dtype(value)
        if got == expected:
            return bool(expected != 0 or answer.either_zero or numpy.signbit(got) == numpy.signbit(value) or answer.ulps > 0 and value != 0)
        largest = numpy.longdouble(numpy.finfo(dtype).max)
        if numpy.isinf(value):
            return False
        unit = unit_of(min(abs(numpy.longdouble(value)), largest), scalar)
        away = answer.ulps * unit + answer.absolute
        if numpy.isinf(got):
            return bool(abs(numpy.longdouble(value)) + away >= largest and numpy.signbit(got) == numpy.signbit(value))
        return bool(abs(numpy.longdouble(got) - numpy.longdouble(value)) <= away)
