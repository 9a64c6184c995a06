#!/usr/bin/env python3
"""Every built-in function of numbers, of every type that Clang's header declares, gives what OpenCL C says.

usage: every_builtin.py <clang> [<page>] [--all] [--devices simulator,cpu] [--only <pattern>] [--standard CL3.0]

Kernels call the functions on values at which they change what they do. Without --all and GPUTEST_RANDOM, a few functions
of each family.
With the page opencl-functions.md, its rows are compared with what the simulator takes (documented.py).
What another device than the simulator gives is printed, and is no failure: devices have faults of their own.
"""
import argparse
import collections
import os
import random
import re
import sys

import gputest
import numpy

import declarations
import documented
import numbers_of_opencl as numbers
import rules
import vector_data
from compared import is_right

PRAGMAS = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
TUPLES = 700  # of arguments, at most


class Call:
    """A function with its arguments, and the part of a kernel that calls it."""

    def __init__(self, function, choice):
        self.function = function
        self.values = [p for p in function.parameters if not p.space]
        self.results = [function.result] + [p for p in function.parameters if p.space]
        width = max(p.width for p in self.values)
        tuples = self.tuples(choice)
        self.items = -(-len(tuples) // width)
        tuples += tuples[: self.items * width - len(tuples)]
        self.rows = [[[tuples[i * width + c][k] for c in range(p.width)] for k, p in enumerate(self.values)]
                     for i in range(self.items)]

    def tuples(self, choice):
        values = self.values
        edges = [numbers.edges(p.scalar) for p in values]
        if self.function.name.startswith("bitfield_"):
            edges = [e if p.scalar != "uint" or k == 0 or (k == 1 and "insert" in self.function.name) else list(range(65))
                     for k, (e, p) in enumerate(zip(edges, values))]
        if len(values) == 1:
            chosen = [(e,) for e in edges[0]]
        elif len(values) == 2:
            chosen = [(x, y) for x in edges[0] for y in edges[1]]
            choice.shuffle(chosen)
            chosen = chosen[:TUPLES]
        else:
            chosen = [tuple(choice.choice(e) for e in edges) for _ in range(TUPLES // 2)]
        for _ in range(max(40, (TUPLES - len(chosen)) // 8)):
            chosen.append(tuple(numbers.random_value(p.scalar, choice) for p in values))
        return chosen

    def inputs(self):
        """Bytes of each parameter, an element for each work-item."""
        parts = []
        for k, parameter in enumerate(self.values):
            stored = parameter.step // declarations.SIZES[parameter.scalar]
            array = numpy.zeros((self.items, stored), numbers.DTYPES[parameter.scalar])
            for i, row in enumerate(self.rows):
                array[i, : parameter.width] = row[k]
            parts.append(array.tobytes())
        return parts

    def text(self, places, out):
        arguments, before, after, at = [], "", "", 0
        for number, parameter in enumerate(self.function.parameters):
            if parameter.space:
                space = parameter.space if parameter.space in ("global", "local") else "private"
                if space == "global":
                    arguments.append(f"(global {parameter.value}*)(out + {out[-1]}) + i")
                else:
                    name = f"p{number}"
                    if space == "local":
                        name = f"l{out[0]}_{number}"
                        self.locals = f"local {parameter.value} {name};\n"
                    else:
                        before += f"{parameter.value} {name}; "
                    arguments.append(f"&{name}")
                    after += f"((global {parameter.value}*)(out + {out[-1]}))[i] = {name}; "
            else:
                arguments.append(f"((global const {parameter.value}*)(in + {places[at]}))[i]")
                at += 1
        result = self.function.result
        return (f"if (i < {self.items}) {{ {before}((global {result.value}*)(out + {out[0]}))[i] = "
                f"{self.function.name}({', '.join(arguments)}); {after}}}\n")

    def wrong(self, outputs):
        texts, compared = [], 0
        for i, row in enumerate(self.rows):
            for result, answers, output in zip(self.results, rules.answers_of(self.function, row), outputs):
                for c, answer in enumerate(answers):
                    compared += answer.value is not None
                    if not is_right(output[i][c], answer, result.scalar):
                        texts.append(f"{self.function}: {row} [{c}]: {output[i][c]!r} instead of {answer}")
        return texts, compared


def round_up(value):
    return -(-value // 128) * 128


class Batch:
    """Calls in one kernel, with its buffers."""

    def __init__(self, calls, standard):
        self.calls, self.standard = calls, standard
        self.input, self.outs, size, body = b"", [], 0, ""
        for call in calls:
            places = []
            for part in call.inputs():
                places.append(len(self.input))
                self.input += part + bytes(round_up(len(part)) - len(part))
            out = []
            for result in call.results:
                out.append(size)
                size += round_up(result.step * call.items)
            self.outs.append(out)
            body += call.text(places, out)
        self.size = size
        variables = "".join(getattr(call, "locals", "") for call in calls)
        self.text = (f"{PRAGMAS}kernel void k(global const uchar* in, constant uchar* fixed, global uchar* out) {{\n"
                     f"const size_t i = get_global_id(0);\n{variables}{body}}}\n")

    def run(self, device):
        """The results of each call; gputest.BuildError where a function is missing."""
        out = numpy.zeros(max(self.size, 1), numpy.uint8)
        data = numpy.frombuffer(self.input, numpy.uint8)
        gputest.run_kernel(gputest.source_text(self.text), "k", data, data, out, device=device, checks=[], cl_std=self.standard,
                           global_size=max(call.items for call in self.calls), local_size=1, timeout=300)
        for call, places in zip(self.calls, self.outs):
            results = []
            for result, place in zip(call.results, places):
                stored = result.step // declarations.SIZES[result.scalar]
                part = out[place: place + result.step * call.items].view(numbers.DTYPES[result.scalar])
                results.append(part.reshape(call.items, stored))
            yield call, results


class Count(collections.Counter):
    def __str__(self):
        return ", ".join(f"{number} {what}" for what, number in self.items())


def judge(calls, standard, device, counts, report):
    """Runs the calls on the device, halved where one cannot be built."""
    try:
        for call, results in Batch(calls, standard).run(device):
            texts, compared = call.wrong(results)
            counts["functions"] += 1
            counts["values"] += compared
            counts["wrong functions"] += bool(texts)
            if texts:
                report(call, "wrong", texts)
    except gputest.Error as error:
        if len(calls) == 1:
            counts["missing"] += 1
            report(calls[0], "missing", [" ".join(str(error).splitlines()[:2])])
            return
        names = set(re.findall(r"'(\w+)'", str(error)))
        absent = [call for call in calls if call.function.name in names]
        rest = [call for call in calls if call.function.name not in names]
        if not absent or not rest:
            absent, rest = calls[: len(calls) // 2], calls[len(calls) // 2:]
        judge(absent, standard, device, counts, report)
        judge(rest, standard, device, counts, report)


def wanted(clang, arguments):
    functions = [f for f in declarations.declared(clang, arguments.standard) if rules.family_of(f)]
    if arguments.only:
        functions = [f for f in functions if re.search(arguments.only, str(f))]
    if not arguments.all:
        choice = random.Random(1)
        families = collections.defaultdict(list)
        for function in functions:
            families[rules.family_of(function)].append(function)
        functions = [f for family in families.values() for f in choice.sample(family, min(len(family), arguments.sample))]
    return functions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("clang")
    parser.add_argument("page", nargs="?")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--devices", default="simulator")
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=9)
    parser.add_argument("--standard", default="CL3.0")
    parser.add_argument("--batch", type=int, default=24)
    arguments = parser.parse_args()
    arguments.all = arguments.all or "GPUTEST_RANDOM" in os.environ
    numpy.seterr(all="ignore")
    choice = random.Random(7)
    failed = False
    functions = wanted(arguments.clang, arguments)
    for device in arguments.devices.split(","):
        counts = Count()
        texts = []

        def report(call, what, found):
            print(f"{device}: {what}: {call.function}: {len(found)}: " + "\n    ".join(found[:3]), flush=True)

        for begin in range(0, len(functions), arguments.batch):
            calls = [vector_data.Call(f, choice) if rules.family_of(f) == "vector data" else Call(f, choice)
                     for f in functions[begin: begin + arguments.batch]]
            judge(calls, arguments.standard, device, counts, report)
        print(f"{device}: {counts}")
        failed = failed or device == "simulator" and (counts["wrong functions"] or counts["missing"])
    if arguments.page:
        faults = documented.faults_of(arguments.clang, arguments.page)
        print("\n".join(faults))
        failed = failed or faults
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
