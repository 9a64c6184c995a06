// run_kernel and run_function in the simulator, which needs no OpenCL device.
#include "gputest/run_kernel.h"

#include "model/coverage.h"
#include "tests/catch.h"
#include "tests/runtime/api/value_sizes.h"
#include "tests/temporary_folder.h"

#include <cstdlib>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kShift =
    "kernel void shift(global int* data, const int n) {\n"
    "  const int i = get_global_id(0);\n"
    "  data[i] = i + 1 < n ? data[i + 1] : 0;\n"
    "}\n"
    "uint root(const uint n) { uint r = 0; while ((r + 1) * (r + 1) <= n) ++r; return r; }\n";

struct Simulator {
  TemporaryFolder folder;
  RunOptions options{.global_size = {4}, .device = "simulator"};

  Simulator() {
    ::setenv("GPUTEST_DRIVER", GPUTEST_DRIVER, 1);
    ::setenv("GPUTEST_CACHE_DIR", folder.path().c_str(), 1);
  }
};

} // namespace

TEST_CASE("what the simulator finds is an exception") {
  Simulator simulator;
  std::vector<int> data{1, 2, 3, 4};
  const Source shift = source_text(kShift, "shift.cl");
  std::vector<std::string> findings;
  std::string message;
  try {
    run_kernel(shift, "shift", simulator.options, data, 4);
  } catch (const CheckError& error) {
    findings = error.findings;
    message = error.what();
  }
  REQUIRE(findings.size() == 1);
  CHECK(contains(findings[0], "shift.cl:3:"));
  CHECK(contains(message, findings[0]));
  CHECK(data == std::vector<int>{1, 2, 3, 4}); // nothing is copied back

  simulator.options.checks = {"none"};
  CHECK(run_kernel(shift, "shift", simulator.options, data, 4).device == "simulator");
  CHECK(data == std::vector<int>{2, 3, 4, 0});
  simulator.options.checks = {"raises"};
  CHECK(contains(
      message_of<UsageError>([&] { run_kernel(shift, "shift", simulator.options, data, 4); }),
      "there is no check 'raises' (did you mean 'races'?); there are: races, "));
}

TEST_CASE("nullptr is a null pointer") {
  Simulator simulator;
  const Source source =
      source_text("struct Body { int mass; };\n"
                  "kernel void choose(global int* out, global const int* mask,\n"
                  "                   global struct Body* bodies, const int n) {\n"
                  "  const int i = get_global_id(0);\n"
                  "  out[i] = (mask ? mask[i] : n) + (bodies ? 10 : 20);\n"
                  "  if (n < 0)\n"
                  "    out[i] = mask[i];\n"
                  "}\n",
                  "choose.cl");
  const std::vector<int> mask{1, 2, 3, 4};
  std::vector<int> out(4);
  run_kernel(source, "choose", simulator.options, out, nullptr, nullptr, 7);
  CHECK(out == std::vector<int>{27, 27, 27, 27});
  run_kernel(source, "choose", simulator.options, out, mask, nullptr, 7);
  CHECK(out == std::vector<int>{21, 22, 23, 24});
  const auto run = [&](auto wrong) {
    run_kernel(source, "choose", simulator.options, out, nullptr, nullptr, wrong);
  };
  CHECK(contains(message_of<CheckError>([&] { run(-1); }),
                 "choose.cl:7:14: error: work-item (0) of group (0) reads 4 bytes through a null "
                 "pointer, the argument 'mask'"));
  CHECK(contains(message_of<UsageError>([&] { run(nullptr); }),
                 "argument 3 'n' is 'int', but a null pointer was given"));
}

TEST_CASE("memory without a type takes elements of any type") {
  Simulator simulator;
  const Source source =
      source_text("kernel void rest(global const void* in, global void* out) {\n"
                  "  const int i = get_global_id(0);\n"
                  "  ((global float*)out)[i] = ((global const int*)in)[i] / 2.0f;\n"
                  "}\n",
                  "rest.cl");
  const std::vector<int> in{1, 2, 3, 4};
  std::vector<float> out(4);
  run_kernel(source, "rest", simulator.options, in, out);
  CHECK(out == std::vector<float>{0.5F, 1, 1.5F, 2});
  std::vector<unsigned char> bytes(16);
  run_kernel(source, "rest", simulator.options, in, bytes);
  CHECK(bytes[3] == 0x3f); // of 0.5F
  CHECK(contains(message_of<Error>([&] { run_kernel(source, "rest", simulator.options, 1, out); }),
                 "void"));
}

TEST_CASE("the simulator knows the types of arguments from the source") {
  Simulator simulator;
  const Source shift = source_text(kShift, "shift.cl");
  std::vector<int> data{1, 2, 3, 4};
  CHECK(message_of<UsageError>([&] {
          run_kernel(shift, "shift", simulator.options, data, 4.0f);
        }) == "kernel 'shift': argument 1 'n' is 'int', but 'float' by value was given");
  CHECK(
      contains(message_of<UsageError>([&] { run_kernel(shift, "shift", simulator.options, data); }),
               "takes 2 arguments, 1 were given"));
}

TEST_CASE("work-items run in lock step where the kernel relies on it") {
  Simulator simulator;
  const Source source =
      source_text("kernel void sum(global int* data, local volatile int* part) {\n"
                  "  const int l = get_local_id(0);\n"
                  "  part[l] = data[l];\n"
                  "  for (int step = 8; step > 0; step /= 2)\n"
                  "    if (l < step)\n"
                  "      part[l] += part[l + step];\n"
                  "  data[l] = part[0];\n"
                  "}\n",
                  "sum.cl");
  std::vector<int> data(16, 3);
  RunOptions& options = simulator.options;
  const auto run = [&] { run_kernel(source, "sum", options, data, local<int>(16)); };
  options.global_size = options.local_size = {16};
  CHECK(contains(message_of<CheckError>(run), "race"));
  options.lock_step = 16;
  run();
  CHECK(data == std::vector<int>(16, 48));
  options.lock_step = 5;
  CHECK(message_of<UsageError>(run) == "kernel 'sum': 5 work-items cannot be in lock step: 2, 4, "
                                       "8, 16, 32 and 64 can");
  options.lock_step = 32;
  CHECK(message_of<UsageError>(run) == "kernel 'sum': 32 work-items cannot be in lock step, "
                                       "because a work-group has 16");
  options.local_size.clear();
  CHECK(message_of<UsageError>(run) ==
        "kernel 'sum': 32 work-items are in lock step, so give a local size");
}

TEST_CASE("the simulator takes values of the right size alone") {
  give_values<1, 3, 4, 7, 8, 12, 16, 20, 24, 28>(Simulator().options, true);
}

TEST_CASE("a function is called element by element, and counts") {
  Simulator simulator;
  ::setenv("GPUTEST_COVERAGE_DIR", (simulator.folder.path() / "coverage").c_str(), 1);
  const Result result = run_function(source_text(kShift, "shift.cl"), "root", simulator.options,
                                     std::vector<cl_uint>{0, 8, 9, 120}, out<cl_uint>(4));
  ::unsetenv("GPUTEST_COVERAGE_DIR");
  CHECK(result.output<cl_uint>("result") == std::vector<cl_uint>{0, 2, 3, 10});
  const model::Coverage coverage = model::read_coverage(simulator.folder.path() / "coverage" /
                                                        "shift.gputest_root.coverage.json");
  CHECK(model::tally(coverage).statement.total > 0);
  CHECK(model::tally(coverage).statement.covered == model::tally(coverage).statement.total);
  CHECK(contains(message_of<UsageError>([&] {
                   run_function(source_text(kShift), "route", simulator.options, out<cl_uint>(4));
                 }),
                 "route"));
}
