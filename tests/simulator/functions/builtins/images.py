"""Calls of functions of images: each has an image of its own, of which each work-item reads, writes or asks about a pixel."""
import re

import gputest
import numpy

import declarations
import numbers_of_opencl as numbers
from compared import is_right
from oracle import exact

NAME = re.compile(r"(read|write)_image(f|i|ui|h)$")
QUESTION = re.compile(r"get_image_(width|height|depth|array_size|dim|num_mip_levels|channel_data_type|channel_order)$")
IMAGE = re.compile(r"(read_only|write_only|read_write) (image(\d)d(_array|_buffer)?(_depth)?)_t")
CHANNELS = {"f": ("float",), "h": ("half",), "i": ("char", "short", "int"), "ui": ("uchar", "ushort", "uint")}
CONSTANTS = {"float": "CLK_FLOAT", "int": "CLK_SIGNED_INT32", "uint": "CLK_UNSIGNED_INT32"}
SIZE = {"1": (5,), "2": (3, 5), "3": (2, 3, 5)}  # in the order of numpy
LAYERS = 2


def is_of_images(function):
    if not (NAME.match(function.name) or QUESTION.match(function.name)) or not IMAGE.match(function.parameters[0].text):
        return False
    # Clang's header has levels of detail of read-write images, and its table, which compilers use, has not.
    levels = len(function.parameters) - 2 - ("sampler" in function.parameters[1].text) - function.name.startswith("write") \
        if NAME.match(function.name) else 0
    return not levels or not function.parameters[0].text.startswith("read_write")


class Call:
    def __init__(self, function, choice):
        self.function, self.choice = function, choice
        self.access, kind, dimensions, variant, depth = IMAGE.match(function.parameters[0].text).groups()
        self.kind, self.is_depth, self.is_array = kind.removesuffix("_depth"), bool(depth), variant == "_array"
        self.named, self.asked = NAME.match(function.name), QUESTION.match(function.name)
        self.channel = choice.choice(CHANNELS[self.named[2]] if self.named else ("float",) if depth else tuple(CONSTANTS))
        self.shape = (LAYERS,) * self.is_array + SIZE[dimensions]
        self.reads = bool(self.named) and self.named[1] == "read"
        self.pixels = numpy.zeros(self.shape + (() if depth else (4,)), numbers.DTYPES[self.channel])
        if self.reads:
            self.pixels.flat = [self.number(self.channel) for _ in range(self.pixels.size)]
        # The sizes from x on; the layer is the last one.
        self.sizes = self.shape[::-1]
        self.has_sampler = len(function.parameters) > 1 and "sampler" in function.parameters[1].text
        coordinates = function.parameters[1 + self.has_sampler] if self.named else declarations.Type("int")
        self.coordinates, self.is_float = coordinates, coordinates.scalar == "float"
        self.rest = function.parameters[2 + self.has_sampler: None if self.reads else -1] if self.named else ()
        self.is_normalized = self.is_float and (bool(self.rest) or choice.random() < 0.5)
        self.border = choice.choice(("CLAMP_TO_EDGE", "CLAMP"))
        self.rows = [list(place[::-1]) for place in numpy.ndindex(self.shape)]
        if self.has_sampler:
            layers = [self.rows[k][len(self.sizes) - 1] for k in range(4)]
            outside = [[-1, 0, 0], [self.sizes[0], 1, 1], [1, -1, 1], [1, 3, 0]]
            for place, layer in zip(outside, layers):
                row = place[: len(self.sizes)]
                self.rows.append(row[:-1] + [layer] if self.is_array else row)
        self.items = len(self.rows)
        self.values = [declarations.Type("float" if self.is_float else "int", coordinates.width)]
        self.colour = None if self.reads or self.asked else function.parameters[-1]
        if self.colour:
            self.values.append(self.colour)
            self.colours = [[self.number(self.colour.scalar) for _ in range(self.colour.width)] for _ in self.rows]
        self.results = [] if self.colour else [function.result]
        order = {"order": "DEPTH"} if depth else {}
        self.image = lambda: getattr(gputest, self.kind)(self.pixels, **order)

    def number(self, scalar):
        edges = [v for v in numbers.edges(scalar) if v == v and abs(v) != numpy.inf]
        # A device may take the smallest numbers for zero.
        value = self.choice.choice(edges) if not numbers.is_float(scalar) else float(self.choice.randrange(-999, 999)) / 8
        return value

    def declared(self, name):
        return f"{self.access} {self.kind}{'_depth' * self.is_depth}_t {name}"

    def inputs(self):
        rows = [[float(self.real(value, k)) if self.is_float else value for k, value in enumerate(row)] for row in self.rows]
        parts = [self.packed(self.values[0], rows)]
        if self.colour:
            parts.append(self.packed(self.colour, self.colours))
        return parts

    def packed(self, type_, rows):
        return numbers.packed(type_.scalar, [row[: type_.width] for row in rows], type_.step // declarations.SIZES[type_.scalar])

    def real(self, value, dimension):
        if self.is_array and dimension == len(self.sizes) - 1:
            return value
        return (value + 0.5) / self.sizes[dimension] if self.is_normalized else value + 0.5

    def text(self, places, out, image):
        arguments = [image]
        if self.has_sampler:
            arguments.append(f"CLK_ADDRESS_{self.border} | CLK_FILTER_NEAREST | "
                             f"CLK_NORMALIZED_COORDS_{str(self.is_normalized).upper()}")
        if self.named:
            arguments.append(f"((global const {self.coordinates.value}*)(in + {places[0]}))[i]")
        arguments += [f"({more.value})(0)" for more in self.rest]
        if self.colour:
            arguments.append(f"((global const {self.colour.value}*)(in + {places[1]}))[i]")
        call = f"{self.function.name}({', '.join(arguments)})"
        if self.results:
            call = f"((global {self.results[0].value}*)(out + {out[0]}))[i] = {call}"
        return f"if (i < {self.items}) {call};\n"

    def pixel(self, row):
        is_inside = all(0 <= value < size for value, size in zip(row, self.sizes))
        if not is_inside and self.border == "CLAMP":
            return [0] * (1 if self.is_depth else 4)
        near = [min(max(value, 0), size - 1) for value, size in zip(row, self.sizes)]
        found = self.pixels[tuple(near[::-1])]
        return [found] if self.is_depth else list(found)

    def answer(self):
        """What a question about the image has for an answer."""
        what = self.asked[1]
        if what in ("width", "height", "depth"):
            return [self.sizes[("width", "height", "depth").index(what)]]
        if what == "dim":
            return (list(self.sizes[: 2 if self.is_array else None]) + [0])[: self.function.result.width]
        return [{"array_size": LAYERS, "num_mip_levels": 1, "channel_order": 0x10BD if self.is_depth else 0x10B5,
                 "channel_data_type": {"float": 0x10DE, "int": 0x10D9, "uint": 0x10DC}[self.channel]}[what]]

    def wrong(self, outputs):
        texts, compared = [], 0
        for i, row in enumerate(self.rows):
            if self.colour:
                got, scalar = self.pixel(row), self.channel
                low, high = (None, None) if numbers.is_float(scalar) else numbers.limits(scalar)
                expected = [value if low is None else min(max(value, low), high) for value in self.colours[i]]
            else:
                got, scalar = outputs[0][i], self.results[0].scalar
                expected = self.pixel(row) if self.reads else self.answer()
            for c, value in enumerate(expected):
                compared += 1
                if not is_right(got[c], exact(value), scalar):
                    texts.append(f"{self.function}: {self.channel} at {row} [{c}]: {got[c]!r} instead of {value}")
        return texts, compared
