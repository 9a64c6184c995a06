// run_kernel in a process of its own. Nothing here touches OpenCL in this process.
#include "gputest/run_kernel.h"

#include "tests/catch.h"
#include "tests/runtime/device_needs.h"
#include "tests/temporary_folder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kSource =
    "kernel void add(global const int* a, global int* b, global int* sum, int how) {\n"
    "  int i = get_global_id(0);\n"
    "  if (how == 1) sum[(size_t)1 << 45] = 1;\n"
    "  volatile global int* p = b;\n"
    "  while (how == 2 && p[0] != 99) p[1] = 1;\n"
    "  if (how == 3) sum[i + 4] = 1;\n"
    "  sum[i] = a[i] + b[i]; b[i] = -1;\n"
    "}\n";

const RunOptions kApart{.global_size = {4}, .own_process = true};

struct Adding {
  Adding() { gputest::tests::require_device_elsewhere(); }

  TemporaryFolder folder;
  std::filesystem::path file = folder.write("add.cl", kSource);
  std::vector<int> a{1, 2, 3, 4}, b{10, 20, 30, 40};

  Result run(int how, const RunOptions& options = kApart, const std::string& kernel = "add") {
    return run_kernel(file, kernel, options, std::as_const(a), b, out<int>(4), how);
  }
};

} // namespace

TEST_CASE("results come back from another process", "[needs][needs-device]") {
  Adding adding;
  const Result result = adding.run(0);
  CHECK(result.output<int>(2) == std::vector<int>{11, 22, 33, 44});
  CHECK(result.output<int>("sum") == std::vector<int>{11, 22, 33, 44});
  CHECK(adding.b == std::vector<int>{-1, -1, -1, -1});
  CHECK(result.seconds > 0);
  CHECK_FALSE(result.device.empty());
}

TEST_CASE("exceptions have the types and messages that they have in one process",
          "[needs][needs-device]") {
  Adding adding;
  CHECK(contains(message_of<KernelError>([&] { adding.run(3); }), "wrote 16 bytes past the end"));
  CHECK(adding.b[0] == 10); // nothing is copied back
  CHECK(contains(message_of<UsageError>([&] { adding.run(0, kApart, "subtract"); }),
                 "there is no kernel 'subtract'; there are: add"));
  adding.folder.write("add.cl", "kernel void add(global int* a) { nonsense; }");
  try {
    adding.run(0);
    FAIL("it builds");
  } catch (const BuildError& error) {
    CHECK(contains(error.log, "nonsense"));
    CHECK(contains(error.what(), "does not build for"));
    CHECK(std::string(error.what()).ends_with("\n" + error.log));
  }
}

TEST_CASE("a kernel that never ends is an exception, and the next call runs",
          "[needs][needs-device]") {
  Adding adding;
  const auto start = std::chrono::steady_clock::now();
  RunOptions impatient = kApart;
  impatient.timeout = 3;
  CHECK(contains(message_of<KernelCrash>([&] { adding.run(2, impatient); }),
                 "kernel 'add' did not end within 3 s (RunOptions::timeout)"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(3));
  CHECK(adding.run(0).output<int>(2).at(0) == 11);
}

TEST_CASE("a kernel that crashes is an exception, and the next call runs",
          "[needs][needs-device][needs-cpu]") {
  gputest::tests::require_cpu_elsewhere(); // GPUs answer an access out of bounds in their own ways
  Adding adding;
  adding.run(0);
  CHECK(contains(message_of<KernelCrash>([&] { adding.run(1); }),
                 "kernel 'add' crashed the process: SIGSEGV"));
  CHECK(adding.b[0] == -1); // of the first call
  adding.b = {10, 20, 30, 40};
  CHECK(adding.run(0).output<int>(2).at(0) == 11);
}
