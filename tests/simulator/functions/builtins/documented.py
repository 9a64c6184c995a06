"""docs/reference/opencl-functions.md has a row for each function of Clang's header, and says what the simulator takes.

A function of each row is called in the simulator. GPUTEST_RANDOM tries each name of each row.
"""
import collections
import os
import random
import re

import gputest
import numpy

import declarations

# The page says of these that they are not there.
UNSUPPORTED = re.compile(r"msaa")


def rows_of(page):
    rows = []
    for line in open(page, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[1] in ("yes", "no"):
            names = re.findall(r"`([^`]+)`", re.sub(r"\([^)]*\)", "", cells[0]))
            names = [name for name in names if name not in ("float", "double", "half")]
            rows.append((re.compile("|".join(f"{re.escape(name).replace('…', '.*')}$" for name in names)), cells[1] == "yes", names[0]))
    return rows


def kernel_of(function):
    """A kernel that may call the function, but does not; None: its arguments cannot be made."""
    parameters, body, arguments = ["global int* out", "constant int* fixed"], "local ulong near[64]; ulong own[64]; ", []
    for number, type_ in enumerate(function.parameters):
        name = f"a{number}"
        if type_.scalar and not type_.space:
            body += f"{type_.value} {name} = 0; "
        elif type_.scalar or (type_.space and re.search(r"\batomic_\w+", type_.text)):
            base = type_.value or re.search(r"\batomic_\w+", type_.text)[0]
            name = {"constant": f"(constant {base}*)fixed", "local": f"(local {base}*)near",
                    "private": f"({base}*)own"}.get(type_.space, f"(global {base}*)out")
        elif "image" in type_.text:
            parameters.append(f"{type_.text.split()[0]} {type_.text.split()[1]} {name}")
        elif "sampler_t" in type_.text:
            name = "CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST"
        elif type_.text.startswith(("memory_order", "memory_scope", "cl_mem_fence_flags")):
            name = {"memory_order": "memory_order_relaxed", "memory_scope": "memory_scope_device",
                    "cl_mem_fence_flags": "CLK_LOCAL_MEM_FENCE"}[type_.text.split()[0]]
        else:
            return None
        arguments.append(name)
    return parameters, body, f"{function.name}({', '.join(arguments)});"


def accepts(functions):
    """The names that the simulator cannot compile, of functions with kernels of their own."""
    pragmas = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    wrong = []
    for function in functions:
        parameters, body, call = kernel_of(function)
        kernel = f"kernel void k({', '.join(parameters)}) {{ {body}if (out[0]) {{ {call} }} }}\n"
        try:
            arguments = [numpy.zeros(64, numpy.int32)] * 2 + made_up(parameters[2:])
            gputest.run_kernel(gputest.source_text(pragmas + kernel), "k", *arguments, global_size=1, local_size=1,
                               device="simulator", checks=[], cl_std="CL3.0")
        except (gputest.BuildError, gputest.UsageError) as error:
            wrong.append(f"{function}: {str(error).splitlines()[-1]}")
    return wrong


def made_up(parameters):
    values = []
    for parameter in parameters:
        kind = re.search(r"image\w+?(?=_t)", parameter)[0]
        if kind.endswith("_depth"):
            kind = kind.removesuffix("_depth")
            values.append(getattr(gputest, kind)(numpy.zeros((2, 4, 4)[kind == "image2d":], numpy.float32), order="DEPTH"))
            continue
        shape = {"image1d": (4, 4), "image2d": (2, 4, 4), "image3d": (2, 2, 4, 4), "image1d_array": (2, 4, 4),
                 "image2d_array": (2, 2, 4, 4), "image1d_buffer": (4, 4)}[kind]
        values.append(getattr(gputest, kind)(numpy.zeros(shape, numpy.float32)))
    return values


def faults_of(clang, page):
    rows = rows_of(page)
    by_row, faults = collections.defaultdict(list), []
    for function in declarations.declared(clang):
        row = next((row for row in rows if row[0].match(function.name)), None)
        if not row:
            faults.append(f"{function.name}: no row has it")
        elif kernel_of(function) and not UNSUPPORTED.search(str(function)):
            by_row[row].append(function)
    faults = sorted(set(faults))
    choice = random.Random(3)
    for row in rows:
        functions = by_row[row]
        if not functions:
            continue
        if "GPUTEST_RANDOM" in os.environ:
            names = {function.name: function for function in choice.sample(functions, len(functions))}
            functions = list(names.values())
        else:
            functions = [choice.choice(functions)]
        missing = accepts(functions)
        if row[1]:
            faults += [f"the row of {row[2]} says that the simulator has it: {text}" for text in missing]
        elif len(missing) < len(functions):
            faults.append(f"the row of {row[2]} says that the simulator lacks {functions[0]}, and it does not")
    print(f"{len(rows)} rows, {sum(map(len, by_row.values()))} functions")
    return faults
