# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's launches of Python as users write them, in the simulator: cupy.RawKernel, cupy.RawModule and
pycuda.compiler.SourceModule (docs/pytest.md).

install() replaces these three. Where CuPy or PyCUDA is not there, a module of the same name takes its place, whose arrays are
NumPy's, so that tests run on a machine without a GPU."""
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

import numpy

import gputest
import gputest_launches


def place_in_python(code):
    """The file and the line, from 0, in which the text begins that a caller has given; ("", 0): not in this spelling."""
    for frame in inspect.stack():
        try:
            text = pathlib.Path(frame.filename).read_text()
        except (OSError, UnicodeDecodeError):
            continue
        at = text.find(code) if code.strip() else -1
        if at >= 0:
            return frame.filename, text.count("\n", 0, at)
    return "", 0


DESCRIBED = {}  # arguments of kernels, by text, options and kernel


class Source:
    """CUDA C++ with options, as NVRTC and nvcc take them. Messages have the lines of the Python file that holds the text."""

    def __init__(self, code, options, folders=()):
        file, line = place_in_python(code)
        self.name = (os.path.basename(file) if file else "kernels") + ".cu"
        if file:
            gputest_launches.SHOWN[self.name] = file
        self.code, self.options = "\n" * line + code, {"definitions": [], "include_dirs": [os.fspath(folder) for folder in folders]}
        words = list(options or ())
        for i, word in enumerate(words):
            for prefix, key in (("-D", "definitions"), ("-I", "include_dirs"), ("--define-macro=", "definitions"),
                                ("--include-path=", "include_dirs")):
                if word.startswith(prefix):
                    value = word[len(prefix):] or (words[i + 1] if i + 1 < len(words) else "")
                    self.options[key].append(value)

    def arguments(self, kernel):
        """What the kernel takes: `gputest describe` tells. Raises gputest.UsageError with the compiler's messages."""
        key = (self.code, json.dumps(self.options), kernel)
        if key not in DESCRIBED:
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, self.name)
                pathlib.Path(file).write_text(self.code)
                words = [gputest_launches.command(), "describe", file, "--instance", kernel]
                words += [word for definition in self.options["definitions"] for word in ("-D", definition)]
                words += [word for included in self.options["include_dirs"] for word in ("-I", included)]
                said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                if said.returncode != 0:
                    raise gputest.UsageError(said.stderr.replace(folder + os.sep, ""))
            plain = lambda name: name.replace(" ", "")
            for described in json.loads(said.stdout)["kernels"]:
                if plain(described["name"]) == plain(kernel):
                    DESCRIBED[key] = described["arguments"]
        if key not in DESCRIBED:
            raise gputest.UsageError(f"{self.name}: there is no kernel '{kernel}'")
        return DESCRIBED[key]

    def launch(self, kernel, grid, block, given, shared_memory):
        __tracebackhide__ = True
        declared = self.arguments(kernel)
        if len(given) != len(declared):
            raise gputest.UsageError(f"kernel '{kernel}' takes {len(declared)} arguments, {len(given)} were given")
        sizes = [(tuple(size) if isinstance(size, (tuple, list)) else (size,)) for size in (grid, block)]
        grid, block = [[int(n) for n in size] + [1] * (3 - len(size)) for size in sizes]
        arguments, after = [], []
        for i, (value, argument) in enumerate(zip(given, declared)):
            made, back = as_pointer(value, i) if argument["pointer"] else (as_value(value, argument, i), None)
            for j, other in enumerate(arguments):
                if argument["pointer"] and declared[j]["pointer"] and other is not None and made is not None and \
                        numpy.shares_memory(other, made) and "write" in argument["access"] + declared[j]["access"]:
                    raise gputest.UsageError(f"arguments {j} and {i} of '{kernel}' share memory that the kernel writes; in the "
                                             "simulator each has memory of its own: pass a copy")
            arguments.append(made)
            if back and "write" in argument["access"]:
                after.append(back)
        gputest.run_kernel(gputest_launches.NamedText(self.code, self.name), kernel, *arguments,
                           global_size=[g * b for g, b in zip(grid, block)], local_size=block,
                           shared_memory=int(shared_memory), device="simulator", **self.options)
        for back in after:
            back()


def as_pointer(value, position):
    """An array for a pointer, or None for a null pointer, and what copies it back where it is a copy; None: it is none."""
    if isinstance(value, Handler):  # drv.In, drv.Out, drv.InOut
        return value.array, None
    if type(value).__module__.startswith("pycuda") and hasattr(value, "array"):
        return value.array, None
    if isinstance(value, Memory):
        return value.array, None
    if isinstance(value, numpy.ndarray):
        return numpy.asarray(value), None
    if hasattr(value, "get") and hasattr(value, "set"):  # an array of CuPy or PyCUDA on a GPU
        array = numpy.ascontiguousarray(value.get())
        return array, lambda: value.set(array)
    if value is None or (isinstance(value, (int, numpy.integer)) and value == 0):
        return None, None
    raise gputest.UsageError(f"argument {position}: '{type(value).__name__}' is no memory that the simulator knows: pass an array")


def as_value(value, argument, position):
    """A value of the kernel's type. Numbers of Python have the kernel's type, as CuPy and PyCUDA pass them."""
    names = {"bool": "bool", "char": "int8", "schar": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32",
             "uint": "uint32", "long": "int64", "ulong": "uint64", "half": "float16", "float": "float32", "double": "float64"}
    kind = names.get(argument["type"].get("scalar"))
    if isinstance(value, (bool, int, float, numpy.number, numpy.bool_)) and kind:
        if isinstance(value, numpy.generic) and value.dtype.itemsize != argument["type"]["size"] and value.dtype.kind not in "iu":
            raise gputest.UsageError(f"argument {position} '{argument['name']}' is '{argument['type']['name']}', but a "
                                     f"'{value.dtype}' was given")
        return numpy.dtype("uint8" if kind == "bool" else kind).type(value)
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        return value[()]
    return value


class Function:
    """A kernel of PyCUDA: function(*arguments, block=…, grid=…)."""

    def __init__(self, source, name):
        self.source, self.name, self.num_regs, self.shared_size_bytes, self.local_size_bytes = source, name, 0, 0, 0

    def __call__(self, *arguments, block=None, grid=(1, 1), shared=0, stream=None, texrefs=(), time_kernel=False):
        __tracebackhide__ = True
        if block is None:
            raise ValueError("must specify block size")
        self.source.launch(self.name, grid, block, arguments, shared)
        return 0.0 if time_kernel else None

    def prepare(self, arg_types, texrefs=()):
        return self

    def prepared_call(self, grid, block, *arguments, shared_size=0):
        self.source.launch(self.name, grid, block, arguments, shared_size)

    def prepared_async_call(self, grid, block, stream, *arguments, shared_size=0):
        self.prepared_call(grid, block, *arguments, shared_size=shared_size)


class SourceModule:
    """In the place of pycuda.compiler.SourceModule."""

    def __init__(self, source, nvcc="nvcc", options=None, keep=False, no_extern_c=False, arch=None, code=None, cache_dir=None,
                 include_dirs=()):
        self.source = Source(source, options, include_dirs)

    def get_function(self, name):
        self.source.arguments(name)
        return Function(self.source, name)


class RawKernel:
    """In the place of cupy.RawKernel: kernel(grid, block, arguments)."""

    def __init__(self, code, name, options=(), backend="nvrtc", translate_cucomplex=False, *, enable_cooperative_groups=False,
                 jitify=False):
        self.code, self.name, self.options, self.backend = code, name, tuple(options), backend
        self.source = code if isinstance(code, Source) else Source(code, options)

    def compile(self, log_stream=None):
        self.source.arguments(self.name)

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        __tracebackhide__ = True
        self.source.launch(self.name, grid, block, args, shared_mem)


class RawModule:
    """In the place of cupy.RawModule."""

    def __init__(self, *, code=None, path=None, options=(), backend="nvrtc", translate_cucomplex=False,
                 enable_cooperative_groups=False, name_expressions=None, jitify=False):
        if code is None:
            if not str(path).endswith(".cu"):
                raise gputest.UsageError(f"{path}: only sources run in the simulator, and no compiled code")
            code = pathlib.Path(path).read_text()
        self.source = Source(code, options)

    def get_function(self, name):
        self.source.arguments(name)
        return RawKernel(self.source, name)


# ---- Where CuPy or PyCUDA is not there ----


class Array(numpy.ndarray):
    """An array as those of CuPy and PyCUDA's GPUArray, in memory of the host."""

    def get(self, *ignored, **more):
        return numpy.array(self)

    def set(self, values, **more):
        self[...] = values

    @property
    def gpudata(self):
        return self

    @property
    def device(self):
        return 0


def on_device(made):
    return made.view(Array) if isinstance(made, numpy.ndarray) and made.dtype != object else made


def asarray(values, dtype=None):
    return numpy.array(values, dtype=dtype, order="C").view(Array)  # a copy, as from the host to a GPU


class Memory:
    """What mem_alloc() gives: bytes."""

    def __init__(self, size):
        self.array = numpy.zeros(int(size), numpy.uint8)

    def free(self):
        pass


class Handler:
    """drv.In, drv.Out and drv.InOut: an array of the host around a launch."""

    def __init__(self, array):
        self.array = array


class Nothing:
    """A stream, an event, a device or a context: all has happened already."""

    null = ptds = None

    def __init__(self, *ignored, **more):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *ignored, **more: self

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False


def own_cupy():
    cupy = types.ModuleType("cupy", "CuPy's RawKernel and arrays over NumPy and the simulator (gputest_cuda).")
    cupy.RawKernel, cupy.RawModule, cupy.ndarray = RawKernel, RawModule, Array
    cupy.asarray = cupy.array = cupy.ascontiguousarray = lambda values, dtype=None, **more: asarray(values, dtype)
    cupy.asnumpy = lambda values, **more: numpy.array(values)

    def of_numpy(name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(numpy, name, None)
        if found is None:
            raise AttributeError(f"the simulator's cupy has no '{name}': it has RawKernel, RawModule and what NumPy has")
        if not callable(found) or isinstance(found, type):
            return found
        return lambda *arguments, **more: on_device(found(*arguments, **more))

    cupy.__getattr__ = of_numpy
    cupy.cuda = types.ModuleType("cupy.cuda")
    cupy.cuda.Stream = cupy.cuda.Device = cupy.cuda.Event = Nothing
    cupy.cuda.runtime = types.SimpleNamespace(getDeviceCount=lambda: 1, deviceSynchronize=lambda: None)
    cupy.cuda.is_available = lambda: True
    return {"cupy": cupy, "cupy.cuda": cupy.cuda}


def own_pycuda():
    modules = {name: types.ModuleType(name) for name in
               ("pycuda", "pycuda.autoinit", "pycuda.compiler", "pycuda.driver", "pycuda.gpuarray")}
    for name, module in modules.items():
        if "." in name:
            setattr(modules["pycuda"], name.partition(".")[2], module)
    modules["pycuda"].VERSION, modules["pycuda"].__path__ = (0,), []
    modules["pycuda.compiler"].SourceModule = SourceModule
    modules["pycuda.autoinit"].device = modules["pycuda.autoinit"].context = Nothing()
    driver = modules["pycuda.driver"]
    driver.In, driver.Out, driver.InOut = (type(name, (Handler,), {}) for name in ("In", "Out", "InOut"))
    driver.mem_alloc, driver.DeviceAllocation = Memory, Memory
    driver.Stream = driver.Event = driver.Device = Nothing
    driver.Context = Nothing()
    driver.init = lambda flags=0: None
    driver.mem_alloc_like = lambda array: Memory(array.nbytes)

    def to_device(array):
        memory = Memory(array.nbytes)
        driver.memcpy_htod(memory, array)
        return memory

    def htod(memory, array, stream=None):
        content = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
        memory_of(memory)[:content.size] = content

    def dtoh(array, memory, stream=None):
        flat = array.reshape(-1).view(numpy.uint8)
        flat[:] = memory_of(memory)[:flat.size]

    memory_of = lambda memory: memory.array if isinstance(memory, Memory) else memory.reshape(-1).view(numpy.uint8)
    driver.to_device, driver.memcpy_htod, driver.memcpy_dtoh = to_device, htod, dtoh
    driver.memcpy_htod_async, driver.memcpy_dtoh_async = htod, dtoh
    arrays = modules["pycuda.gpuarray"]
    arrays.GPUArray, arrays.to_gpu, arrays.to_gpu_async = Array, asarray, lambda values, stream=None: asarray(values)
    for name in ("zeros", "empty", "zeros_like", "empty_like", "ones_like", "arange"):
        setattr(arrays, name, lambda *arguments, original=getattr(numpy, name), **more: on_device(original(*arguments, **more)))
    return modules


def install():
    """Replaces the three, in CuPy and PyCUDA where they are there."""
    for name, make, place in (("cupy", own_cupy, "cupy"), ("pycuda", own_pycuda, "pycuda.compiler")):
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules.update(make())
        else:
            replace(importlib.import_module(place))


def replace(module):
    for made in (RawKernel, RawModule, SourceModule):
        if hasattr(module, made.__name__):
            setattr(module, made.__name__, made)
