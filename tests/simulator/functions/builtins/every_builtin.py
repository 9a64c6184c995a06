#!/usr/bin/env python3
"""Every built-in function, of every type that Clang's header declares, gives what OpenCL C says.

usage: every_builtin.py <clang> [<page>] [--all] [--part 1/8] [--devices simulator,cpu] [--only <pattern>] [--standard CL3.0]

Kernels call the functions on values at which they change what they do. Without --all and GPUTEST_RANDOM, a few functions
of each family; all take a quarter of an hour of a processor, and --part a part of that. Not called: fences and barriers,
printf, and what the page says that the simulator lacks.
With the page opencl-functions.md, its rows are compared with what the simulator takes (documented.py), and random kernels
are tried (random_programs.py), two or twice as many as GPUTEST_RANDOM says.
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

import atomics
import components
import declarations
import documented
import groups
import images
import numbers_of_opencl as numbers
import random_programs
import rules
import vector_data

PRAGMAS = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"


def round_up(value):
    return -(-value // 128) * 128


class Batch:
    """Calls in one kernel, with its buffers."""

    def __init__(self, calls, standard):
        self.calls, self.standard = calls, standard
        self.input, self.outs, size, body, parameters = b"", [], 0, "", ""
        for number, call in enumerate(calls):
            places = []
            for part in call.inputs():
                places.append(len(self.input))
                self.input += part + bytes(round_up(len(part)) - len(part))
            out = []
            for result in call.results:
                out.append(size)
                size += round_up(result.step * call.items)
            self.outs.append(out)
            if isinstance(call, images.Call):
                parameters += f", {call.declared(f'image{number}')}"
                body += call.text(places, out, f"image{number}")
            else:
                body += call.text(places, out)
        self.size = size
        variables = "".join(getattr(call, "locals", "") for call in calls)
        self.local_size = getattr(calls[0], "local_size", 1)
        size_of_sub_groups = f"__attribute__((intel_reqd_sub_group_size({groups.LANES})))\n" * (self.local_size > 1)
        self.text = (f"{PRAGMAS}{size_of_sub_groups}"
                     f"kernel void k(global const uchar* in, constant uchar* fixed, global uchar* out{parameters}) {{\n"
                     f"const size_t i = get_global_id(0);\n{variables}{body}}}\n")

    def run(self, device):
        """The results of each call; gputest.BuildError where a function is missing."""
        out = numpy.zeros(max(self.size, 1), numpy.uint8)
        data = numpy.frombuffer(self.input, numpy.uint8)
        pixels = [call.image() for call in self.calls if isinstance(call, images.Call)]
        gputest.run_kernel(gputest.source_text(self.text), "k", data, data, out, *pixels, device=device, checks=[],
                           cl_std=self.standard, global_size=max(call.items for call in self.calls), local_size=self.local_size,
                           timeout=300)
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


def is_of_groups(function):
    return rules.family_of(function) in ("groups", "copies")


def call_of(function, choice):
    modules = {"vector data": vector_data, "atomics": atomics, "groups": groups, "copies": groups, "images": images}
    return modules.get(rules.family_of(function), components).Call(function, choice)


def wanted(clang, arguments):
    functions = [f for f in declarations.declared(clang, arguments.standard) if rules.family_of(f)]
    if arguments.only:
        functions = [f for f in functions if re.search(arguments.only, str(f))]
    number, parts = map(int, arguments.part.split("/"))
    functions = functions[number - 1:: parts]
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
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--devices", default="simulator")
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=7)
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

        for kind in (False, True):
            alike = [function for function in functions if is_of_groups(function) == kind]
            for begin in range(0, len(alike), arguments.batch):
                judge([call_of(f, choice) for f in alike[begin: begin + arguments.batch]], arguments.standard, device, counts, report)
                if arguments.all and begin // arguments.batch % 50 == 49:
                    print(f"{device}: {counts}", flush=True)
        print(f"{device}: {counts}")
        failed = failed or device == "simulator" and (counts["wrong functions"] or counts["missing"])
    if arguments.page:
        faults = documented.faults_of(arguments.clang, arguments.page)
        faults += random_programs.faults_of(int(os.environ.get("GPUTEST_RANDOM", "1")))
        print("\n".join(faults))
        failed = failed or faults
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
