"""Calls of atomic functions: each work-item has an object of its own, in global or local memory."""
import math
import re

import numpy

import declarations
import numbers_of_opencl as numbers
import oracle
from compared import is_right
from oracle import ANY, Answer, exact, is_nan

NAME = re.compile(r"atom(?:ic)?_(?:fetch_)?(add|sub|xchg|exchange|inc|dec|cmpxchg|min|max|and|or|xor|init|load|store"
                  r"|compare_exchange|flag_test_and_set|flag_clear)(?:_strong|_weak)?(_explicit)?$")
SCALARS = {"intptr_t": "long", "uintptr_t": "ulong", "size_t": "ulong", "ptrdiff_t": "long", "flag": "int"}
ITEMS = 60
ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
ALLOWED = {"load": ("relaxed", "acquire", "seq_cst"), "store": ("relaxed", "release", "seq_cst"),
           "flag_clear": ("relaxed", "release", "seq_cst")}
BITWISE = {"and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}


def scalar_of(type_):
    word = re.search(r"(?:atomic_)?(\w+)", re.sub(r"\b(__\w+|volatile)\b", "", type_.text))[1] if not type_.scalar else type_.scalar
    return SCALARS.get(word.removeprefix("atomic_"), word.removeprefix("atomic_"))


def same(scalar, x, y):
    dtype = numbers.DTYPES[scalar]
    return dtype(x).tobytes() == dtype(y).tobytes()


def changed(operation, scalar, old, operand, wanted):
    """What the object has afterwards, an Answer."""
    if operation in ("xchg", "exchange", "init", "store"):
        return exact(operand)
    if operation == "load":
        return exact(old)
    if operation in ("cmpxchg", "compare_exchange"):
        return exact(operand if same(scalar, old, wanted) else old)
    if operation in ("flag_test_and_set", "flag_clear"):
        return exact(int(operation == "flag_test_and_set"))
    if operation in ("min", "max"):
        if is_nan(old) or is_nan(operand):
            return ANY
        return Answer((min if operation == "min" else max)(old, operand), either_zero=True)
    if operation in BITWISE:
        return oracle.wrap(scalar, BITWISE[operation](old, operand))
    operand = 1 if operation in ("inc", "dec") else operand
    operand = -operand if operation in ("sub", "dec") else operand
    if not numbers.is_float(scalar):
        return oracle.wrap(scalar, old + operand)
    dtype = numbers.DTYPES[scalar]
    return exact(float(dtype(old) + dtype(operand)))


class Call:
    def __init__(self, function, choice):
        self.function = function
        self.operation, explicit = NAME.match(function.name).groups()
        self.scalar = scalar_of(function.parameters[0])
        self.type = declarations.Type(self.scalar)
        self.items = ITEMS
        # The object, the operand, and what a comparison wants.
        flags = self.operation.startswith("flag")
        values = [0, 1] if flags else numbers.edges(self.scalar) + [numbers.random_value(self.scalar, choice) for _ in range(9)]
        self.rows = [[choice.choice(values) for _ in range(3)] for _ in range(ITEMS)]
        for row in self.rows[::2]:
            row[2] = row[0]
        self.is_true = function.result.scalar == "bool"
        self.old = not self.is_true and self.operation not in ("init", "store", "flag_clear")
        self.expects = self.operation == "compare_exchange"
        self.results = [declarations.Type("int") if self.is_true else self.type] * (self.is_true or self.old) + [self.type]
        self.results += [self.type] * self.expects
        allowed = ALLOWED.get(self.operation, ORDERS)
        order = choice.choice(allowed)
        failure = choice.choice([o for o in ALLOWED["load"] if ORDERS.index(o) <= ORDERS.index(order)])
        # An order of failure is no stronger than that of success.
        failure = "relaxed" if order == "release" else failure
        self.constants = [f"memory_order_{order}", f"memory_order_{failure}"][: 1 + self.expects]
        self.constants += [f"memory_scope_{choice.choice(('work_group', 'device', 'all_svm_devices'))}"]

    def inputs(self):
        return [numpy.array([row[k] for row in self.rows], numbers.DTYPES[self.scalar]).tobytes() for k in range(3)]

    def place(self, pointer, base, out, value, name):
        """A place of memory with the value: its pointer, what makes it, what copies it to the output."""
        space, at = pointer.space, f"((global {self.scalar}*)(out + {out}))[i]"
        is_generic = space == "generic"
        if is_generic:
            space = "local" if base != self.scalar and out % 256 else "global" if base != self.scalar else "private"
        if space == "global":
            return self.cast(base, "global", f"&{at}", is_generic), f"{at} = {value}; ", ""
        if space == "local":
            self.locals = getattr(self, "locals", "") + f"local {base} {name};\n"
        text, whole = f"{base} {name}; " if space == "private" else "", f"*({space} {self.scalar}*)&{name}"
        return self.cast(base, space, f"&{name}", is_generic), f"{text}{whole} = {value}; ", f"{at} = {whole}; "

    @staticmethod
    def cast(base, space, pointer, is_generic):
        return f"({'' if is_generic else space} {base}*)({space} {base}*){pointer}"

    def text(self, places, out):
        values = [f"((global const {self.scalar}*)(in + {place}))[i]" for place in places]
        base = re.search(r"atomic_\w+", self.function.parameters[0].text)
        base = base[0] if base else self.scalar
        first = len(self.results) - 1 - self.expects
        object_, before, after = self.place(self.function.parameters[0], base, out[first], values[0], f"o{out[0]}")
        arguments, constants = [object_], list(self.constants)
        for parameter in self.function.parameters[1:]:
            if parameter.space:
                pointer, make, copy = self.place(parameter, self.scalar, out[-1], values[2], f"e{out[0]}")
                before, after = before + make, after + copy
                arguments.append(pointer)
            elif parameter.text.startswith("memory_"):
                kind = parameter.text.split()[0]
                constant = next(c for c in constants if c.startswith(kind))
                constants.remove(constant)
                arguments.append(constant)
            else:
                arguments.append(values[1])
        if self.operation == "cmpxchg":
            arguments[1:] = [values[2], values[1]]
        call = f"{self.function.name}({', '.join(arguments)}); "
        if self.is_true or self.old:
            call = f"((global {self.results[0].scalar}*)(out + {out[0]}))[i] = {call}"
        return f"if (i < {self.items}) {{ {before}{call}{after}}}\n"

    def expected(self, old, operand, wanted):
        new = changed(self.operation, self.scalar, old, operand, wanted)
        answers = [new]
        if self.is_true:
            answers.insert(0, exact(int(bool(old) if "flag" in self.operation else same(self.scalar, old, wanted))))
        elif self.old:
            answers.insert(0, exact(old))
        return answers + [exact(old if not same(self.scalar, old, wanted) else wanted)] * self.expects

    def wrong(self, outputs):
        texts, compared = [], 0
        for i, row in enumerate(self.rows):
            for number, (result, answer) in enumerate(zip(self.results, self.expected(*row))):
                compared += answer.value is not None
                got = outputs[number][i][0]
                if not is_right(got, answer, result.scalar) and not (is_nan(got) and math.isnan(answer.value)):
                    texts.append(f"{self.function}: {row} result {number}: {got!r} instead of {answer}")
        return texts, compared
