// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A program that does little but launch: launches <number> [<work-items>]. */
#include "tests/layer/programs/support.h"

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 10000;
  const size_t items = argc > 2 ? (size_t)atoll(argv[2]) : 64;
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context,
                             "__kernel void advance_all(__global int* data, int n) {\n"
                             "  const size_t i = get_global_id(0);\n"
                             "  int value = data[i];\n"
                             "  for (int k = 0; k < n; ++k)\n"
                             "    value = value % 3 == 0 ? value / 3 + k : 5 * value + 1;\n"
                             "  data[i] = value;\n"
                             "}\n",
                             "");
  cl_kernel step = make_kernel(program, "advance_all");
  int* zeros = calloc(items, sizeof *zeros);
  cl_mem data = make_buffer(context, items * sizeof *zeros, zeros);
  set_arg(step, 0, sizeof data, &data);
  for (cl_int i = 0; i < count; ++i) {
    set_arg(step, 1, sizeof i, &(cl_int){i % 7});
    launch(queue, step, items);
    if (i % 10 == 0)
      CHECK(clFinish(queue));
  }
  print_buffer("data", queue, data, 4);
  return 0;
}
