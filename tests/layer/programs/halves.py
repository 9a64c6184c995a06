"""A kernel in a string, built with the options of the command line."""
import sys

import numpy as np
import pyopencl as cl

TEXT = """#ifndef NAME
#define NAME n
#endif
int half_of(int x) { return x / 2; }
kernel void halves(global int *r, local int *t, int NAME) {
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = half_of(i);
  barrier(CLK_LOCAL_MEM_FENCE);
  r[i] = i < NAME ? t[l] : 0;
}
"""
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, TEXT).build(options=sys.argv[1:])
result = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64 * 4)
program.halves(queue, (64,), (16,), result, cl.LocalMemory(64), np.int32(60))
values = np.empty(64, np.int32)
cl.enqueue_copy(queue, values, result)
assert (values == np.where(np.arange(64) < 60, np.arange(64) // 2, 0)).all(), values
