// What atomic functions order, by their memory_order and memory_scope.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <string>
#include <vector>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

TEST_CASE("C11 atomics order other accesses if their order says so") {
  const auto findings = [](const std::string& write, const std::string& read) {
    return run({.text =
                    "kernel void k(global atomic_int* flag, global int* data, global int* out) {\n"
                    "if (get_global_id(0) == 0) {\ndata[0] = 5;\n" +
                    write + "\n} else {\n" + read + "\nif (seen) out[0] = data[0];\n}\n}\n",
                .global_size = 2,
                .local_size = 1,
                .arguments = {buffer(std::vector<int>(1)), buffer(std::vector<int>(1)),
                              buffer(std::vector<int>(1))},
                .checks = {"races"},
                .cl_std = "CL2.0"})
        .findings();
  };
  const auto store = [](const std::string& order) {
    return "atomic_store_explicit(flag, 1, memory_order_" + order + ", memory_scope_device);";
  };
  const auto load = [](const std::string& order) {
    return "int seen = atomic_load_explicit(flag, memory_order_" + order +
           ", memory_scope_device);";
  };
  const auto fence = [](const std::string& order) {
    return "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" + order +
           ", memory_scope_device);";
  };
  CHECK(findings(store("release"), load("acquire")) == "");
  CHECK(findings("atomic_store(flag, 1);", "int seen = atomic_load(flag);") == "");
  CHECK(findings(fence("release") + store("relaxed"), load("relaxed") + fence("acquire")) == "");
  for (const char* release : {"relaxed", "release"})
    for (const char* acquire : {"relaxed", "acquire"})
      if (std::string(release) == "relaxed" || std::string(acquire) == "relaxed")
        CHECK(findings(store(release), load(acquire)) != "");
}

TEST_CASE("C11 atomics of a work-group's scope do not reach other work-groups") {
  struct Text {
    const char *write, *read;
  };
  const Text texts[] = {
      {"atomic_store_explicit(flag, 1, memory_order_release, memory_scope_{});",
       "int seen = atomic_load_explicit(flag, memory_order_acquire, memory_scope_{});"},
      {"atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel, memory_scope_{});",
       "int seen = atomic_exchange_explicit(flag, 2, memory_order_acq_rel, memory_scope_{});"},
      {"int zero = 0; atomic_compare_exchange_strong_explicit(flag, &zero, 1, "
       "memory_order_acq_rel, memory_order_acquire, memory_scope_{});",
       "int seen = atomic_fetch_max_explicit(flag, 0, memory_order_acquire, memory_scope_{});"}};
  // In one work-group, and in two.
  const auto findings = [](const Text& text, const std::string& scope) {
    const auto with = [&](std::string line) { return line.replace(line.rfind("{}"), 2, scope); };
    const Run run{.text = "kernel void k(global atomic_int* flag, global int* data, global int* "
                          "out) {\nif (get_global_id(0) == 0) {\ndata[0] = 5;\n" +
                          with(text.write) + "\n} else {\n" + with(text.read) +
                          "\nif (seen == 1) out[0] = data[0];\n}\n}\n",
                  .global_size = 2,
                  .local_size = 2,
                  .arguments = {buffer(std::vector<int>(1)), buffer(std::vector<int>(1)),
                                buffer(std::vector<int>(1))},
                  .checks = {"races"},
                  .cl_std = "CL2.0"};
    std::vector<Run> both{run, run};
    both[1].local_size = 1;
    std::vector<bool> found;
    for (const Ran& ran : run_all(both))
      found.push_back(!ran.findings().empty());
    return found;
  };
  CHECK(findings(texts[0], "work_item") == std::vector{false, true});
  for (const Text& text : texts) {
    CHECK(findings(text, "device") == std::vector{false, false});
    CHECK(findings(text, "work_group") == std::vector{false, true});
  }
}

TEST_CASE("Atomic functions of OpenCL C 1.2 order no other accesses") {
  CHECK(run({.text = "kernel void k(global int* flag, global int* data, global int* out) {\n"
                     "if (get_global_id(0) == 0) {\ndata[0] = 5;\natomic_xchg(flag, 1);\n}\n"
                     "else if (atomic_add(flag, 0)) out[0] = data[0];\n}\n",
             .global_size = 2,
             .local_size = 1,
             .arguments = {buffer(std::vector<int>(1)), buffer(std::vector<int>(1)),
                           buffer(std::vector<int>(1))},
             .checks = {"races"}})
            .findings() != "");
}
