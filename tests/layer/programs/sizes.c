/* Launches one kernel with 64, 256, 16 and 256 work-items, and another one. */
#include "support.h"

static const char* const kSource =
    "kernel void strided(global const int* in, global int* out, int stride) {\n"
    "  const int i = get_global_id(0);\n"
    "  out[i] = in[i * stride % 4096] + 1;\n"
    "}\n"
    "kernel void twice(global const int* in, global int* out) {\n"
    "  out[get_global_id(0)] = in[get_global_id(0)] * 2;\n"
    "}\n";

int main(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context, kSource, "");
  static int in[4096];
  cl_mem a = make_buffer(context, sizeof in, in), b = make_buffer(context, 1024, NULL);
  cl_kernel twice = make_kernel(program, "twice"), strided = make_kernel(program, "strided");
  set_arg(twice, 0, sizeof a, &a);
  set_arg(twice, 1, sizeof b, &b);
  launch(queue, twice, 16);
  set_arg(strided, 0, sizeof a, &a);
  set_arg(strided, 1, sizeof b, &b);
  const size_t items[] = {64, 256, 16, 256};
  for (cl_int i = 0; i < 4; ++i) {
    set_arg(strided, 2, sizeof i, &i);
    launch(queue, strided, items[i]);
  }
  CHECK(clFinish(queue));
  clReleaseKernel(twice);
  clReleaseKernel(strided);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("done");
  return 0;
}
