/* pipes <file>: two launches fill a pipe of 6 packets, and two take from it. 77: no device. */
#include "support.h"

#define PIPE_SUPPORT 0x1071 /* CL_DEVICE_PIPE_SUPPORT, of OpenCL 3.0 */

static void run(cl_command_queue queue, cl_kernel kernel, size_t items) {
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
}

int main(int argc, char** argv) {
  static char text[1 << 14];
  FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  const size_t bytes = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  cl_device_id device = first_device();
  cl_bool has = CL_FALSE;
  clGetDeviceInfo(device, PIPE_SUPPORT, sizeof has, &has, NULL);
  if (!has) {
    printf("no pipes\n");
    return 0;
  }
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_int error;
  const char* source = text;
  cl_program program = clCreateProgramWithSource(context, 1, &source, &bytes, &error);
  check(error, "clCreateProgramWithSource");
  CHECK(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0 -DFACTOR=2", NULL, NULL));
  cl_build_status status = CL_BUILD_NONE;
  CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  size_t kernels = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));

  cl_mem pipe = clCreatePipe(context, CL_MEM_READ_WRITE, sizeof(cl_int), 6, NULL, &error);
  check(error, "clCreatePipe");
  cl_uint size = 0, most = 0;
  CHECK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof size, &size, NULL));
  CHECK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof most, &most, NULL));
  cl_mem_object_type type = 0;
  CHECK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
  printf("built %d, %d kernels; %u packets of %u bytes, type %x\n", status == CL_BUILD_SUCCESS, (int)kernels, most, size, type);

  cl_int values[8], sums[2] = {0, 0}, counts[2] = {0, 0};
  for (int i = 0; i < 8; ++i)
    values[i] = i < 4 ? i + 1 : 9; /* whichever of the last find room */
  cl_mem in = make_buffer(context, sizeof values, values);
  cl_mem out = make_buffer(context, sizeof sums, sums);
  cl_mem counted = make_buffer(context, sizeof counts, counts);
  cl_kernel fill = make_kernel(program, "fill"), drain = make_kernel(program, "drain"), count = make_kernel(program, "count");
  set_arg(fill, 0, sizeof in, &in);
  set_arg(fill, 1, sizeof pipe, &pipe);
  set_arg(drain, 0, sizeof pipe, &pipe);
  set_arg(drain, 1, sizeof out, &out);
  set_arg(count, 0, sizeof pipe, &pipe);
  set_arg(count, 1, sizeof counted, &counted);
  for (cl_int first = 0; first < 8; first += 4) { /* the last two packets find no room */
    set_arg(fill, 2, sizeof first, &first);
    run(queue, fill, 4);
    run(queue, count, 1);
    CHECK(clEnqueueReadBuffer(queue, counted, CL_TRUE, 0, sizeof counts, counts, 0, NULL, NULL));
    printf("%d of %d\n", counts[0], counts[1]);
  }
  run(queue, drain, 2);
  const cl_int first = 6; /* around the pipe's end */
  set_arg(fill, 2, sizeof first, &first);
  run(queue, fill, 2);
  run(queue, drain, 1);
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
  printf("%d\n", sums[0] + sums[1]);
  clReleaseKernel(count);
  clReleaseKernel(drain);
  clReleaseKernel(fill);
  clReleaseMemObject(counted);
  clReleaseMemObject(out);
  clReleaseMemObject(in);
  clReleaseMemObject(pipe);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
