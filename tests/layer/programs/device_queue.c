/* device_queue <file>: launches the kernel doubled, which enqueues a block, and prints what it leaves. 77: no device. */
#include "support.h"

int main(int argc, char** argv) {
  static char text[1 << 14];
  FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  const size_t bytes = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  cl_device_id device = first_device();
  cl_uint queues = 0, most = 0;
  cl_command_queue_properties has = 0;
  clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof queues, &queues, NULL);
  clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL);
  clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof has, &has, NULL);
  if (queues == 0 || most == 0 || !(has & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
    printf("no queues of devices\n");
    return 0;
  }
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
      CL_QUEUE_SIZE, most, 0};
  cl_int error;
  cl_command_queue own = clCreateCommandQueueWithProperties(context, device, on_device, &error);
  check(error, "clCreateCommandQueueWithProperties");
  const char* source = text;
  cl_program program = clCreateProgramWithSource(context, 1, &source, &bytes, &error);
  check(error, "clCreateProgramWithSource");
  CHECK(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0 -DFACTOR=2", NULL, NULL));
  cl_kernel kernel = make_kernel(program, "doubled");
  cl_int values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = i;
  cl_mem memory = make_buffer(context, sizeof values, values);
  const size_t one = 1;
  const cl_int count = 8;
  set_arg(kernel, 0, sizeof memory, &memory);
  set_arg(kernel, 1, sizeof count, &count);
  set_arg(kernel, 2, sizeof own, &own);
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  for (int i = 0; i < 8; ++i)
    printf("%d\n", values[i]);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(own);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
