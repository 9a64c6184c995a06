"""A Python test program with PyOpenCL: a kernel of its own, and those that PyOpenCL makes at run time."""
import sys

import numpy
import pyopencl
import pyopencl.array

SOURCE = """
__kernel void count_down(__global int *values, int steps) {
  int value = values[get_global_id(0)];
  for (int i = 0; i < steps; ++i)
    value = value > 0 ? value - 1 : value;
  values[get_global_id(0)] = value;
}
"""

context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, SOURCE).build()
values = numpy.arange(16, dtype=numpy.int32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program.count_down(queue, values.shape, None, buffer, numpy.int32(5))
pyopencl.enqueue_copy(queue, values, buffer)
print(values)
array = pyopencl.array.to_device(queue, numpy.arange(16, dtype=numpy.float32))
print((2 * array + 1).get())
print(pyopencl.array.sum(array).get())
sys.exit(0 if values[15] == 10 else 1)
