/* Launches the kernels of orders.cl that the arguments name, each in a way of its own, and prints
 * what they leave. The last argument may be "check": then what `between`, `shift` and `waits` leave
 * is looked at. */
#include "support.h"

enum { N = 128, GROUP = 16 };

static char source[1 << 16];

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} Setup;

static cl_mem make_numbers(Setup s, int factor) {
  int values[N];
  for (int i = 0; i < N; ++i)
    values[i] = factor * (i + 1);
  return make_buffer(s.context, sizeof values, values);
}

static void launch_groups(Setup s, cl_kernel kernel, size_t offset) {
  const size_t global = N, local = GROUP;
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, offset ? &offset : NULL, &global, &local, 0,
                               NULL, NULL));
}

static void run_independent(Setup s) {
  cl_mem in = make_numbers(s, 1), out = make_numbers(s, 0);
  cl_kernel kernel = make_kernel(s.program, "independent");
  set_arg(kernel, 0, sizeof in, &in);
  set_arg(kernel, 1, sizeof out, &out);
  for (int i = 0; i < 3; ++i)
    launch_groups(s, kernel, 0);
  print_buffer("independent", s.queue, out, N);
}

/* Five launches, of which only the fourth has anything to add. */
static int run_between(Setup s, int checks) {
  cl_kernel kernel = make_kernel(s.program, "between");
  int wrong = 0;
  for (int i = 0; i < 5; ++i) {
    cl_mem data = make_numbers(s, i == 3 ? 1 : 0);
    set_arg(kernel, 0, sizeof data, &data);
    launch_groups(s, kernel, 0);
    int values[N];
    CHECK(clEnqueueReadBuffer(s.queue, data, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    printf("between: %d %d\n", values[0], values[N - 1]);
    wrong += i == 3 && values[N - 1] != 576;
    CHECK(clReleaseMemObject(data));
  }
  return checks && wrong > 0;
}

/* More groups than are launched one at a time. */
static void run_many(Setup s) {
  static int values[5000 * GROUP];
  for (int i = 0; i < 5000 * GROUP; ++i)
    values[i] = 1;
  cl_mem data = make_buffer(s.context, sizeof values, values);
  cl_kernel kernel = make_kernel(s.program, "between");
  set_arg(kernel, 0, sizeof data, &data);
  const size_t global = 5000 * GROUP, local = GROUP;
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.queue, data, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  printf("many: %d\n", values[5000 * GROUP - 1]);
}

static void run_within(Setup s) {
  cl_mem in = make_numbers(s, 3), out = make_numbers(s, 0);
  cl_kernel kernel = make_kernel(s.program, "within");
  set_arg(kernel, 0, sizeof in, &in);
  set_arg(kernel, 1, sizeof out, &out);
  set_arg(kernel, 2, GROUP * sizeof(int), NULL);
  launch_groups(s, kernel, 0);
  print_buffer("within", s.queue, out, N);
}

static int run_shift(Setup s, int checks) {
  cl_mem in = make_numbers(s, 1), out = make_numbers(s, 0);
  cl_kernel kernel = make_kernel(s.program, "shift");
  set_arg(kernel, 0, sizeof in, &in);
  set_arg(kernel, 1, sizeof out, &out);
  set_arg(kernel, 2, GROUP * sizeof(int), NULL);
  launch_groups(s, kernel, 0);
  int values[N], wrong = 0;
  CHECK(clEnqueueReadBuffer(s.queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  for (int i = 0; i < N; ++i)
    wrong += values[i] != (i % GROUP > 0 ? i : 0);
  return checks && wrong > 0;
}

static int run_waits(Setup s, int checks) {
  cl_mem flags = make_numbers(s, 0), out = make_numbers(s, 0);
  cl_kernel kernel = make_kernel(s.program, "waits");
  set_arg(kernel, 0, sizeof flags, &flags);
  set_arg(kernel, 1, sizeof out, &out);
  launch_groups(s, kernel, 0);
  int values[N / GROUP];
  CHECK(clEnqueueReadBuffer(s.queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  printf("waits: %d\n", values[N / GROUP - 1]);
  return checks && values[N / GROUP - 1] != N / GROUP;
}

static void run_float_sum(Setup s) {
  float values[N], sum = 0;
  for (int i = 0; i < N; ++i)
    values[i] = 1.0f / (float)(i + 1);
  cl_mem in = make_buffer(s.context, sizeof values, values);
  cl_mem out = make_buffer(s.context, sizeof sum, &sum);
  cl_kernel kernel = make_kernel(s.program, "float_sum");
  set_arg(kernel, 0, sizeof in, &in);
  set_arg(kernel, 1, sizeof out, &out);
  launch_groups(s, kernel, 0);
  CHECK(clEnqueueReadBuffer(s.queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
  printf("float_sum: %.3f\n", sum);
}

/* An out-of-order queue, events, an offset, and groups that the device chooses. */
static void run_grid(Setup s) {
  cl_device_id device;
  CHECK(clGetContextInfo(s.context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
  cl_command_queue queue = make_queue(s.context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  int zeros[24 * 8] = {0};
  cl_mem out = make_buffer(s.context, sizeof zeros, zeros);
  cl_kernel kernel = make_kernel(s.program, "grid");
  set_arg(kernel, 0, sizeof out, &out);
  const size_t global[2] = {12, 8}, offset[2] = {0, 0};
  cl_event first, second;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, &first));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, NULL, 1, &first, &second));
  CHECK(clWaitForEvents(1, &second));
  print_buffer("grid", queue, out, 12 * 8);
}

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  source[fread(source, 1, sizeof source - 1, file)] = '\0';
  fclose(file);
  Setup s;
  cl_device_id device = first_device();
  s.context = make_context(device);
  s.queue = make_queue(s.context, device, 0);
  s.program = build(s.context, source, "");
  const int checks = strcmp(argv[argc - 1], "check") == 0;
  int wrong = 0;
  for (int i = 2; i < argc; ++i) {
    if (strcmp(argv[i], "independent") == 0)
      run_independent(s);
    else if (strcmp(argv[i], "between") == 0)
      wrong += run_between(s, checks);
    else if (strcmp(argv[i], "many") == 0)
      run_many(s);
    else if (strcmp(argv[i], "shift") == 0)
      wrong += run_shift(s, checks);
    else if (strcmp(argv[i], "within") == 0)
      run_within(s);
    else if (strcmp(argv[i], "waits") == 0)
      wrong += run_waits(s, checks);
    else if (strcmp(argv[i], "float_sum") == 0)
      run_float_sum(s);
    else if (strcmp(argv[i], "grid") == 0)
      run_grid(s);
  }
  return wrong > 0;
}
