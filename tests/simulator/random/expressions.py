"""Random expressions of OpenCL C that are C++ as well, with the macros of model.h and run.py. None is undefined."""
import dataclasses
import random
import re
import typing

INTEGERS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
SIZES = {**INTEGERS, "half": 16, "float": 32, "double": 64}
FLOATS = ("half", "float", "double")
WIDTHS = (2, 3, 4, 8, 16)
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


def parts_of(type_):
    match = re.match(r"([a-z]+)(\d*)$", type_)
    return match[1], int(match[2] or 1)


def vector(scalar, width):
    return scalar if width == 1 else f"{scalar}{width}"


def is_signed(scalar):
    return not scalar.startswith("u")


def unsigned(scalar):
    return scalar if scalar in FLOATS or not is_signed(scalar) else "u" + scalar


@dataclasses.dataclass
class Place:
    """What can be read, and perhaps written; the text of an element of an array is chosen anew each time."""
    text: typing.Union[str, typing.Callable[[], str]]
    type: str
    writable: bool = True

    def __str__(self):
        return self.text() if callable(self.text) else self.text


class Expressions:
    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.places = []
        self.calls = []  # functions that return the text of a call, of type int

    def one_of(self, *of):
        return self.choice.choice(of)

    def scalar(self):
        return self.one_of(*INTEGERS, "int", "uint", "uint", *FLOATS)

    def type(self):
        return vector(self.scalar(), self.one_of(1, 1, 1, 1, *WIDTHS))

    def literal(self, type_):
        scalar, width = parts_of(type_)
        if width > 1:
            return f"VEC({type_}, {', '.join(self.literal(scalar) for _ in range(width))})"
        if scalar in FLOATS:
            return f"({scalar}){self.one_of('0.0f', '1.0f', '-2.5f', '0.125f', '3.0f', '100.0f', '-7.75f')}"
        bits = INTEGERS[scalar]
        value = self.one_of(0, 1, 2, 3, 7, self.choice.randrange(1 << 8), self.choice.randrange(1 << bits), (1 << (bits - 1)) - 1)
        return f"({scalar}){value & ((1 << (bits - is_signed(scalar))) - 1)}{'ul' if bits == 64 else 'u'}"

    def swizzle(self, width, wanted, distinct=False):
        """A suffix that takes `wanted` of so many components."""
        if distinct:
            components = self.choice.sample(range(width), wanted)
        else:
            components = [self.choice.randrange(width) for _ in range(wanted)]
        ways = ["s" + "".join("0123456789abcdef"[i] for i in components)]
        if width <= 4:
            ways.append("".join("xyzw"[i] for i in components))
        if width != 3 and wanted == width // 2:
            ways += ["lo", "hi", "even", "odd"]
        return self.one_of(*ways)

    def read(self, type_):
        scalar, width = parts_of(type_)
        same = [place for place in self.places if place.type == type_]
        if same and self.choice.random() < 0.6:
            return str(self.one_of(*same))
        wider = [place for place in self.places if parts_of(place.type)[0] == scalar and parts_of(place.type)[1] > 1]
        if wider:
            place = self.one_of(*wider)
            return f"{place}.{self.swizzle(parts_of(place.type)[1], width)}"
        whole = [place for place in self.places if place.type in INTEGERS]
        if width == 1 and whole:
            return f"({scalar}){'' if scalar in INTEGERS else '(short)'}{self.one_of(*whole)}"
        return self.literal(type_)

    def condition(self, depth):
        kind = self.choice.randrange(5) if depth > 0 else 4
        if kind == 0:
            return f"({self.condition(depth - 1)} {self.one_of('&&', '||')} {self.condition(depth - 1)})"
        if kind == 1:
            return f"(!{self.condition(depth - 1)})"
        type_ = self.one_of(*INTEGERS, *FLOATS)
        return f"({self.of(type_, depth - 1)} {self.one_of(*COMPARISONS)} {self.of(type_, depth - 1)})"

    def of(self, type_, depth):
        """An expression of this type."""
        if depth <= 0:
            return self.read(type_) if self.choice.random() < 0.75 else self.literal(type_)
        scalar, width = parts_of(type_)
        more = [lambda: self.read(type_)]
        if width > 1:
            more += self.of_vectors(type_, scalar, width, depth - 1)
        else:
            more += self.of_floats(scalar, depth - 1) if scalar in FLOATS else self.of_integers(scalar, depth - 1)
        return self.one_of(*more)()

    def of_floats(self, scalar, depth):
        def arithmetic():
            return f"({self.of(scalar, depth)} {self.one_of(*'+-*')} {self.of(scalar, depth)})"

        def converted():
            return f"(({scalar}){self.of(self.one_of('char', 'uchar', *FLOATS), depth)})"
        return [arithmetic, arithmetic, arithmetic, converted, lambda: f"(-{self.of(scalar, depth)})", self.chosen(scalar, depth)]

    def chosen(self, type_, depth):
        return lambda: f"({self.condition(depth)} ? {self.of(type_, depth)} : {self.of(type_, depth)})"

    def of_integers(self, scalar, depth):
        bits, word = INTEGERS[scalar], unsigned(scalar) if INTEGERS[scalar] >= 32 else "uint"
        a, amount = lambda type_=scalar: self.of(type_, depth), lambda: f"({self.of('uint', depth)} & {bits - 1}u)"

        def called():
            name = self.one_of("mul_hi", "min", "max", "rotate", "popcount", "clz")
            type_ = scalar if name in ("mul_hi", "min", "max") else unsigned(scalar)
            arguments = [f"({type_}){a(type_)}" for _ in range(1 if name in ("popcount", "clz") else 2)]
            return f"(({scalar}){name}({', '.join(arguments)}))"

        def divided():
            divisor = f"(({self.of('uchar', depth)} & 7) + 1)" if is_signed(scalar) else f"({a()} | 1)"
            return f"(({scalar})({a()} {self.one_of('/', '%')} {divisor}))"
        return [lambda: f"(({scalar})(({word}){a()} {self.one_of(*'+-*')} ({word}){a()}))",
                lambda: f"(({scalar})({a()} {self.one_of(*'&|^')} {a(self.one_of(*INTEGERS))}))",
                lambda: f"(({scalar})(({word}){a()} << {amount()}))", lambda: f"(({scalar})({a()} >> {amount()}))",
                divided, called, self.chosen(scalar, depth), lambda: f"(({scalar}){self.condition(depth)})",
                lambda: f"(({scalar})whole_{(kind := self.one_of(*FLOATS))}({self.of(kind, depth)}))",
                lambda: f"(({scalar}){self.one_of(*self.calls)(depth)})" if self.calls else self.read(scalar)]

    def of_vectors(self, type_, scalar, width, depth):
        alike = [vector(other, width) for other in SIZES if SIZES[other] == SIZES[scalar]]
        a = lambda: self.of(type_, depth)

        def arithmetic():
            if scalar in FLOATS or not is_signed(scalar):
                return f"({a()} {self.one_of(*('+-*' if scalar in FLOATS else '+-*&|^'))} {a()})"
            words = vector(unsigned(scalar), width)
            return f"AS({type_}, (AS({words}, {a()}) {self.one_of(*'+-*^')} AS({words}, {a()})))"

        def compared():
            other = self.one_of(*alike)
            return f"({self.of(other, depth)} {self.one_of(*COMPARISONS)} {self.of(other, depth)})"

        def joined():
            if width == 3:
                return f"VEC({type_}, {self.of(scalar + '2', depth)}, {self.of(scalar, depth)})"
            part = vector(scalar, width // 2)
            return f"VEC({type_}, {self.of(part, depth)}, {self.of(part, depth)})"

        def converted():
            other = self.one_of(*INTEGERS) if scalar in INTEGERS else self.one_of("char", "uchar")
            return f"CONVERT({type_}, {self.of(vector(other, width), depth)})"

        def same_bits():
            others = [vector(other, SIZES[scalar] * width // bits) for other, bits in INTEGERS.items()
                      if SIZES[scalar] * width // bits in (1, 2, 4, 8, 16) and width != 3]
            return f"AS({type_}, {self.of(self.one_of(*others), depth)})" if others else a()
        ways = [arithmetic, arithmetic, arithmetic, joined, converted, lambda: f"({type_})({self.of(scalar, depth)})",
                lambda: f"({compared()} ? {a()} : {a()})"]
        if scalar not in FLOATS:
            amount = f" & ({type_})({scalar}){SIZES[scalar] - 1})"
            ways += [same_bits, lambda: f"(~{a()})"]
            ways.append(compared if is_signed(scalar) else lambda: f"({a()} {self.one_of('<<', '>>')} ({a()}{amount})")
        return ways
