/* Programs that do what a layer must live with; the first argument says what. */
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* const kSource = "__kernel void set(__global int* data, int value) {\n"
                                   "  if (value > 3)\n"
                                   "    data[get_global_id(0)] = value;\n"
                                   "}\n";

static void run(const char* source, cl_int value) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context, source, "");
  cl_kernel set = make_kernel(program, "set");
  int zeros[4] = {0};
  cl_mem data = make_buffer(context, sizeof zeros, zeros);
  set_arg(set, 0, sizeof data, &data);
  set_arg(set, 1, sizeof value, &value);
  launch(queue, set, 4);
  print_buffer("data", queue, data, 4);
  fflush(stdout);
}

/* Twice the same kernel, once with a null pointer. */
static void run_nulls(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context,
                             "__kernel void choose(__global int* out, __global const int* mask) {\n"
                             "  out[get_global_id(0)] = mask ? mask[get_global_id(0)] : -1;\n"
                             "}\n",
                             "");
  cl_kernel choose = make_kernel(program, "choose");
  int zeros[4] = {0}, numbers[4] = {3, 1, 4, 1};
  cl_mem out = make_buffer(context, sizeof zeros, zeros);
  cl_mem mask = make_buffer(context, sizeof numbers, numbers);
  set_arg(choose, 0, sizeof out, &out);
  set_arg(choose, 1, sizeof mask, NULL);
  launch(queue, choose, 4);
  print_buffer("out", queue, out, 4);
  set_arg(choose, 1, sizeof mask, &mask);
  launch(queue, choose, 4);
  print_buffer("out", queue, out, 4);
  fflush(stdout);
}

static int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static volatile sig_atomic_t signals, reaped, is_over;

static void count_signal(int signal) {
  (void)signal;
  signals = signals + 1;
}

static void* reap(void* data) {
  while (!is_over) {
    if (waitpid(-1, NULL, WNOHANG) > 0)
      reaped = reaped + 1;
    usleep(50);
  }
  return data;
}

/* Creates the program from the binary that the file holds, or else writes it. */
static void run_binary(const char* name) {
  static unsigned char bytes[1 << 22];
  unsigned char* binary = bytes;
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = NULL;
  FILE* file = fopen(name, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (size > 0) {
    cl_int error;
    const unsigned char* from = bytes;
    program = clCreateProgramWithBinary(context, 1, &device, &size, &from, NULL, &error);
    check(error, "clCreateProgramWithBinary");
    CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
  } else {
    program = build(context, kSource, "");
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    file = fopen(name, "wb");
    fwrite(bytes, 1, size, file);
  }
  fclose(file);
  cl_kernel set = make_kernel(program, "set");
  int zeros[4] = {0};
  const cl_int value = 5;
  cl_mem data = make_buffer(context, sizeof zeros, zeros);
  set_arg(set, 0, sizeof data, &data);
  set_arg(set, 1, sizeof value, &value);
  launch(queue, set, 4);
  print_buffer("data", queue, data, 4);
}

/* One text, behind two others; and its structs are in a buffer that has room for two and a half. */
static void run_twins(void) {
  static const char* const text = "typedef struct { int a, b; } pair;\n"
                                  "__kernel void sum(__global const pair* in, __global int* out) {\n"
                                  "  out[get_global_id(0)] = in[get_global_id(0)].a + OFFSET;\n"
                                  "}\n";
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  for (int offset = 1; offset <= 2; ++offset) {
    char source[512];
    int values[5] = {1, 2, 3, 4, 5};
    snprintf(source, sizeof source, "#define OFFSET %d\n%s", offset, text);
    cl_kernel sum = make_kernel(build(context, source, ""), "sum");
    cl_mem in = make_buffer(context, sizeof values, values);
    cl_mem out = make_buffer(context, 2 * sizeof(int), values);
    set_arg(sum, 0, sizeof in, &in);
    set_arg(sum, 1, sizeof out, &out);
    launch(queue, sum, 2);
    print_buffer("out", queue, out, 2);
  }
}

/* Whether the settings of its run have this text: no program should know. */
static int is_set(const char* wanted) {
  char text[1 << 14], name[4096];
  const char* folder = getenv("GPUTEST_RUN");
  snprintf(name, sizeof name, "%s/settings.json", folder ? folder : "");
  FILE* file = fopen(name, "rb");
  if (!file)
    return 0;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return strstr(text, wanted) != NULL;
}

/* Whether its kernels are instrumented. */
static int is_measured(void) { return is_set("\"coverage\"") || is_set("\"mutants\""); }

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "no_opencl") == 0) {
    printf("nothing to see\n");
    return 4;
  }
  if (strcmp(what, "crash") == 0) {
    run(kSource, 5);
    signal(SIGSEGV, SIG_DFL); /* drivers handle it themselves */
    raise(SIGSEGV);
  }
  if (strcmp(what, "hang") == 0) {
    run(kSource, 5);
    if (fork() == 0)
      for (;;)
        pause();
    for (;;)
      pause();
  }
  if (strcmp(what, "_exit") == 0) {
    run(kSource, 5);
    _exit(5);
  }
  if (strcmp(what, "abort") == 0) {
    run(kSource, 1);
    abort();
  }
  if (strcmp(what, "fork") == 0) { /* the children use OpenCL, the parent does not */
    for (int i = 2; i < 5; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        run(kSource, i);
        exit(i);
      }
      printf("child: %d\n", wait_for(child));
      fflush(stdout);
    }
    return 0;
  }
  if (strcmp(what, "fork_after") == 0) { /* a child that has what it needs not, and exits */
    run(kSource, 5);
    const pid_t child = fork();
    if (child == 0)
      exit(9);
    printf("child: %d\n", wait_for(child));
    return 0;
  }
  if (strcmp(what, "exec") == 0) {
    run(kSource, 1);
    execl(argv[0], argv[0], "_exit", (char*)NULL);
  }
  if (strcmp(what, "children") == 0) { /* knows of no child but its own */
    signal(SIGCHLD, SIG_IGN);
    run(kSource, 5);
    printf("children: %d\n", waitpid(-1, NULL, WNOHANG) >= 0);
    return 0;
  }
  if (strcmp(what, "reaper") == 0) { /* a thread waits for whatever child there is */
    pthread_t thread;
    signal(SIGCHLD, count_signal);
    pthread_create(&thread, NULL, reap, NULL);
    run(kSource, 5);
    is_over = 1;
    pthread_join(thread, NULL);
    printf("reaped: %d, signals: %d\n", (int)reaped, (int)signals);
    return 0;
  }
  if (strcmp(what, "assembled") == 0) { /* source made at run time */
    char source[512];
    for (int i = 1; i <= 3; ++i) {
      snprintf(source, sizeof source,
               "__kernel void set(__global int* data, int value) {\n"
               "  data[get_global_id(0)] = value > %d ? %d : 0;\n}\n",
               i, 10 * i);
      run(source, 2);
    }
    return 0;
  }
  if (strcmp(what, "varies") == 0) { /* reads back something else each time */
    run(kSource, (cl_int)getpid());
    return 0;
  }
  if (strcmp(what, "binary") == 0) { /* keeps a binary of its program */
    run_binary(argv[2]);
    return 0;
  }
  if (strcmp(what, "nulls") == 0) {
    run_nulls();
    return 0;
  }
  if (strcmp(what, "twins") == 0) { /* two kernels of one name */
    run_twins();
    return 0;
  }
  if (strcmp(what, "measured") == 0) { /* with instrumented kernels its results are others, or its end is */
    run(kSource, 5 + is_measured());
    return argc > 2 ? is_measured() : 0;
  }
  if (strcmp(what, "translated") == 0) { /* as if the device's compiler translated one of them wrongly: original, mutants */
    int of_mutants = argc > 2 && strcmp(argv[2], "mutants") == 0;
    run(kSource, 5 + (!is_set("gputest-simulator") && is_measured() == of_mutants));
    return 0;
  }
  if (strcmp(what, "untouched") == 0) { /* maps what no kernel has had, and is never the same */
    int number = (int)getpid();
    cl_device_id device = first_device();
    cl_context context = make_context(device);
    cl_command_queue queue = make_queue(context, device, 0);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof number, &number, NULL);
    clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof number, 0, NULL, NULL, NULL);
    run(kSource, 5);
    return 0;
  }
  if (strcmp(what, "empty") == 0) { /* nothing to cover */
    run("__kernel void set(__global int* data, int value) {}\n", 1);
    return 0;
  }
  if (strcmp(what, "rejected") == 0) { /* OpenCL C has no such function, and PoCL has one */
    run("__kernel void set(__global int* data, int value) {\n"
        "  data[get_global_id(0)] = _cl_max(value, 1);\n}\n",
        7);
    return 0;
  }
  fprintf(stderr, "misbehaves: how?\n");
  return 2;
}
