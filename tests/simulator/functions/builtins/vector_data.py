"""Calls of vload, vstore and their kin for half numbers: what is in memory comes out, and the other way round."""
import fractions
import math
import re

import numpy

import declarations
import numbers_of_opencl as numbers
from compared import is_right
from oracle import exact

ITEMS = 24


class Call:
    def __init__(self, function, choice):
        self.function = function
        match = re.match(r"v(load|store)(a?)(_half)?(\d*)(?:_(rt.))?$", function.name)
        self.loads, self.mode = match[1] == "load", match[5] or "rte"
        self.width = int(match[4] or 1)
        self.stride = 4 if match[2] and self.width == 3 else self.width
        self.pointer = function.parameters[-1]
        self.value = function.result if self.loads else function.parameters[0]
        self.items = ITEMS
        scalar = self.pointer.scalar if self.loads else self.value.scalar
        values = numbers.edges(scalar) + [numbers.random_value(scalar, choice) for _ in range(40)]
        choice.shuffle(values)
        self.rows = [[values[(i * self.width + c) % len(values)] for c in range(self.width)] for i in range(ITEMS)]
        memory = declarations.Type(self.pointer.scalar, 1)
        self.results = [self.value] if self.loads else [declarations.Type(memory.scalar, 4 if self.stride == 3 else self.stride)]
        self.stored = declarations.SIZES[self.pointer.scalar]

    def inputs(self):
        scalar = self.pointer.scalar if self.loads else self.value.scalar
        step = self.stride if self.loads else (4 if self.width == 3 else self.width)
        array = numpy.zeros((self.items, step), numbers.DTYPES[scalar])
        array[:, : self.width] = self.rows
        return [array.tobytes()]

    def text(self, places, out):
        scalar, name, space = self.pointer.scalar, self.function.name, self.pointer.space
        space = "private" if space == "generic" and out[0] % 256 else "global" if space == "generic" else space
        if self.loads:
            result = f"((global {self.value.value}*)(out + {out[0]}))[i]"
            whole = f"(global const {scalar}*)(in + {places[0]})"
            if space == "global":
                call = f"{result} = {name}(i, {whole});"
            elif space == "constant":
                call = f"{result} = {name}(i, (constant {scalar}*)(fixed + {places[0]}));"
            else:
                call = self.copied(space, out, f"{result} = {name}(1, a);", fill=whole)
        else:
            step = self.results[0].width
            value = f"((global const {self.value.value}*)(in + {places[0]}))[i]"
            whole = f"(global {scalar}*)(out + {out[0]})"
            if space == "global" and step == self.stride:
                call = f"{name}({value}, i, {whole});"
            elif space == "global":  # results have a place of four for three
                call = f"{name}({value}, 0, {whole} + {step} * i);"
            else:
                call = self.copied(space, out, f"{name}({value}, 1, a);", drain=whole, step=step)
        return f"if (i < {self.items}) {{ {call} }}\n"

    def copied(self, space, out, call, fill="", drain="", step=0):
        """The call on an array of two elements, of which it takes the second."""
        scalar, bits = self.pointer.scalar, {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[self.stored]
        size = 2 * self.stride
        name = f"l{out[0]}"
        array = f"{bits} {name}[{size}] __attribute__((aligned(64)))"
        text = ""
        if space == "local":
            self.locals = f"local {array};\n"
        else:
            text = f"{array}; "
        if fill:
            text += (f"for (int n = 0; n < {self.stride}; ++n) {name}[{self.stride} + n] = "
                     f"((global const {bits}*)({fill}))[i * {self.stride} + n]; ")
        text += f"{{ {space} {scalar}* a = ({space} {scalar}*){name}; {call} }} "
        if drain:
            text += (f"for (int n = 0; n < {self.width}; ++n) ((global {bits}*)({drain}))[{step} * i + n] = "
                     f"{name}[{self.stride} + n];")
        return text

    def expected(self, value):
        from_, to = (self.pointer.scalar, self.value.scalar) if self.loads else (self.value.scalar, self.pointer.scalar)
        if from_ == to or not math.isfinite(value) or value == 0:
            return exact(value)
        return exact(math.copysign(numbers.rounded(fractions.Fraction(value), to, self.mode), value))

    def wrong(self, outputs):
        texts = []
        for row, results in zip(self.rows, outputs[0]):
            for c, value in enumerate(row):
                answer = self.expected(value)
                if not is_right(results[c], answer, self.results[0].scalar):
                    texts.append(f"{self.function}: {row} [{c}]: {results[c]!r} instead of {answer}")
        return texts, len(self.rows) * self.width
