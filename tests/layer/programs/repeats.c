/* Launches that take no place of others: one is like another, one fails, and one has a large buffer. */
#include "support.h"

static const char* const kSource =
    "kernel void twice(global const int* in, global int* out) {\n"
    "  out[get_global_id(0) % 256] = in[get_global_id(0) % 256] * 2;\n"
    "}\n";

int main(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context, kSource, "");
  static int in[256];
  in[0] = 1;
  cl_mem a = make_buffer(context, sizeof in, in), b = make_buffer(context, 1024, NULL), large = make_buffer(context, 65536, NULL);
  cl_kernel twice = make_kernel(program, "twice");
  set_arg(twice, 0, sizeof a, &a);
  set_arg(twice, 1, sizeof large, &large);
  launch(queue, twice, 4096); /* more than --max-bytes */
  set_arg(twice, 1, sizeof b, &b);
  for (int i = 0; i < 3; ++i) { /* the second and the third find the same */
    launch(queue, twice, 256);
    CHECK(clFinish(queue));
  }
  const size_t items = 512, none = 7;
  if (clEnqueueNDRangeKernel(queue, twice, 1, NULL, &items, &none, 0, NULL, NULL) == CL_SUCCESS)
    return 1;
  launch(queue, twice, 128);
  CHECK(clFinish(queue));
  clReleaseKernel(twice);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(large);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("done");
  return 0;
}
