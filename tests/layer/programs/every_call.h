/* What the sections of every_call.c begin with, and the sections of every_program.c. */
#pragma once

#include "support.h"

static const char* const kSource =
    "__kernel void add(__global int* data, int value) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  if (i % 2 == 0)\n"
    "    data[i] += value;\n"
    "  else\n"
    "    data[i] -= value;\n"
    "}\n"
    "__kernel void one(__global int* data) { data[0] = data[0] > 3 ? data[0] * 2 : 7; }\n";

typedef struct {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} Setup;

static inline Setup set_up(const char* source, const char* options) {
  Setup setup;
  setup.device = first_device();
  setup.context = make_context(setup.device);
  setup.queue = make_queue(setup.context, setup.device, 0);
  setup.program = build(setup.context, source, options);
  return setup;
}

static inline cl_mem numbers(cl_context context, int count) {
  int values[64];
  for (int i = 0; i < count; ++i)
    values[i] = i;
  return make_buffer(context, (size_t)count * sizeof(int), values);
}

static inline void run_add(cl_command_queue queue, cl_kernel add, cl_mem data, cl_int value,
                           size_t items) {
  set_arg(add, 0, sizeof data, &data);
  set_arg(add, 1, sizeof value, &value);
  launch(queue, add, items);
}

void link_programs(void);
void same_names(void);
void build_errors(void);
void kernels_in_program(void);
void native_kernels(void);
void binaries(void);
