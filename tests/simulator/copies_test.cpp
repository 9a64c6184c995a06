// Async copies of work-groups: what they copy, and each way to get them wrong.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <numeric>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

const std::vector<std::string> kCopyChecks{"races", "barriers", "bounds", "uninitialized"};

// Two groups of eight work-items; `in` holds 1 to 64.
Ran copied(const std::string& body, const std::vector<std::string>& checks = kCopyChecks,
           const std::string& cl_std = "") {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 1);
  return run({.text = "kernel void k(global int* out, global int* in, local int* tile) {\n"
                      "int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n" +
                      body + "\n}\n",
              .global_size = 16,
              .local_size = 8,
              .arguments = {buffer(std::vector<int>(64)), buffer(numbers), local(32)},
              .checks = checks,
              .cl_std = cl_std});
}

std::string of_copies(const std::string& body,
                      const std::vector<std::string>& checks = kCopyChecks) {
  return copied(body, checks).findings();
}

const std::string kIn = "event_t e = async_work_group_copy(tile, in + 8 * g, 8, 0);\n";
const std::string kWait = "wait_group_events(1, &e);\n";

} // namespace

TEST_CASE("Copies there and back, with strides and several events") {
  for (const std::vector<std::string>& checks : {kCopyChecks, std::vector<std::string>()})
    for (const std::string cl_std : {"", "CL2.0"}) {
      const Ran ran =
          copied("event_t e[2];\n"
                 "e[0] = async_work_group_strided_copy(tile, in + 16 * g, 4, 2, 0);\n"
                 "e[1] = async_work_group_copy(tile + 4, in + 40, 4, e[0]);\n"
                 "wait_group_events(2, e);\n"
                 "int v = tile[7 - l];\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "tile[l] = v;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "event_t f = async_work_group_strided_copy(out + 32 * g, tile, 8, 3, 0);\n"
                 "wait_group_events(1, &f);",
                 checks, cl_std);
      CHECK(ran.findings().empty());
      const std::vector<int> out = ran.values<int>(0);
      CHECK(std::vector<int>{out[0], out[3], out[6], out[9], out[12], out[15], out[18], out[21]} ==
            std::vector<int>{44, 43, 42, 41, 7, 5, 3, 1});
      CHECK(out[32 + 21] == 17);
      CHECK(out[1] == 0);
    }
}

TEST_CASE("Vectors of three are copied like those of four") {
  const Ran ran =
      run({.text = "kernel void k(global int3* out, global int3* in) {\nprefetch(in, 1);\n"
                   "local int3 tile[4];\n"
                   "event_t e = async_work_group_copy(tile, in, 4, 0);\n"
                   "wait_group_events(1, &e);\n"
                   "out[get_local_id(0)] = tile[get_local_id(0)] + 1;\n}\n",
           .global_size = 4,
           .local_size = 4,
           .arguments = {buffer(std::vector<int>(16)), buffer(std::vector<int>(16, 5))},
           .checks = {"races", "bounds"}});
  CHECK(ran.findings().empty());
  CHECK(ran.values<int>(0)[12] == 6);
}

TEST_CASE("An access to what a copy writes is a race before the wait") {
  CHECK(of_copies(kIn + "int v = tile[l];\n" + kWait + "out[i] = v;", {"races"}) == "race 4/3\n");
  CHECK(of_copies(kIn + kWait + "out[i] = tile[7 - l];").empty());
  CHECK(of_copies(kIn + "in[i] = 7;\n" + kWait, {"races"}) == "race 4/3\n");
  CHECK(
      of_copies(kIn + "int v = in[i];\n" + kWait + "out[i] = v;", {"races"}).empty()); // both read
  CHECK(of_copies(kIn + "tile[l] = 7;\n" + kWait, {"races"}) == "race 4/3\n");
  const Ran ran = copied(kIn + "int v = tile[l];\n" + kWait + "out[i] = v;", {"races"});
  CHECK_THAT(
      ran.result.findings.at(0).message,
      ContainsSubstring("data race on byte 0 of 'argument 2', within a work-group: work-item "
                        "(0) of group (0) reads here, and the copy that begins at /t.cl:3:13 "
                        "writes it; wait_group_events does not come between the two"));
}

TEST_CASE("A copy needs a barrier behind what other work-items have written") {
  const std::string out = "event_t e = async_work_group_copy(out + 8 * g, tile, 8, 0);\n" + kWait;
  CHECK(of_copies("tile[l] = l;\n" + out, {"races"}) == "race 4/3\n");
  CHECK(of_copies("tile[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE);\n" + out).empty());
  const Ran wrong = copied("tile[l] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n" + out);
  CHECK(wrong.findings() == "race 5/3\n");
  CHECK_THAT(wrong.result.findings.at(0).message,
             ContainsSubstring("the copy of group (0) reads here, and work-item (0) of group (0) "
                               "writes at /t.cl:3:9; the barrier at /t.cl:4:1 has only "
                               "CLK_GLOBAL_MEM_FENCE"));
}

TEST_CASE("The copies that the documentation shows have the findings that it says") {
  CHECK(of_copies("event_t e = async_work_group_copy(tile, in, 8, 0);\nint x = tile[l];\n" + kWait +
                      "tile[l] = x;\ne = async_work_group_copy(out + 8 * g, tile, 8, 0);\n" + kWait,
                  {"races"}) == "race 4/3\nrace 7/6\n");
}

TEST_CASE("A copy into a tile that others still read is a race") {
  const auto loop = [](const std::string& end) {
    return "for (int n = 0; n < 2; ++n) {\n"
           "  event_t e = async_work_group_copy(tile, in + 8 * n, 8, 0);\n"
           "  wait_group_events(1, &e);\n"
           "  out[16 * n + i] = tile[7 - l];\n" +
           end + "}";
  };
  CHECK(of_copies(loop("")) == "race 4/6\n");
  CHECK(of_copies(loop("  barrier(CLK_LOCAL_MEM_FENCE);\n")).empty());
}

TEST_CASE("Two copies into one place are a race without a wait between them") {
  CHECK(of_copies(kIn + "event_t f = async_work_group_copy(tile + 4, in, 4, 0);\n" + kWait +
                      "wait_group_events(1, &f);",
                  {"races"}) == "race 4/3\n");
  CHECK(of_copies(kIn + kWait +
                      "event_t f = async_work_group_copy(tile + 4, in, 4, 0);\n"
                      "wait_group_events(1, &f);",
                  {"races"})
            .empty());
  CHECK(of_copies("event_t e = async_work_group_copy(out, tile, 8, 0);\n" + kWait, {"races"}) ==
        "race 3/3\n"); // of both groups
}

TEST_CASE("Work-items that call one copy with other arguments are a finding") {
  CHECK(of_copies("event_t e = async_work_group_copy(tile, in + l, 8, 0);\n" + kWait,
                  {"barriers"}) == "divergent_copy 3\n");
  CHECK(of_copies("event_t e = async_work_group_copy(tile, in, 8 - l / 7, 0);\n" + kWait,
                  {"barriers"}) == "divergent_copy 3\n");
  CHECK(of_copies("event_t e[2];\nfor (int n = 0; n < 2; ++n)\n"
                  "  e[n] = async_work_group_copy(tile + 4 * n, in, 4, 0);\n"
                  "wait_group_events(1, e + l / 7);\nwait_group_events(1, e + 1 - l / 7);",
                  {"barriers"}) == "divergent_copy 6\ndivergent_copy 7\n");
}

TEST_CASE("A copy that only a part of the group reaches is a finding") {
  const Ran ran = copied("if (l < 3) {\n" + kIn + kWait + "}", {"barriers"});
  CHECK(ran.findings() == "divergent_copy 4\ndivergent_copy 5\n");
  CHECK_THAT(ran.result.findings.at(0).message,
             ContainsSubstring("the async copy is not reached by all work-items of group (0): 5 of "
                               "8 do not call it"));
  CHECK(of_copies(kIn + "if (l) wait_group_events(1, &e);\nbarrier(CLK_LOCAL_MEM_FENCE);",
                  {"barriers"}) == "divergent_copy 4\n");
  CHECK(of_copies("event_t e;\nif (l < 4)\n  e = async_work_group_copy(tile, in, 8, 0);\nelse\n"
                  "  e = async_work_group_copy(tile, in + 8, 8, 0);\n" +
                      kWait,
                  {}) == "divergent_copy 5/7\n"); // without checks, too
}

TEST_CASE("A wait for an event that no copy has made is a finding") {
  CHECK(of_copies("event_t e = 0;\n" + kWait, {"barriers"}) == "invalid_event 4\n");
  CHECK(of_copies(kIn + kWait + kWait, {"barriers"}) == "invalid_event 5\n");
  CHECK(of_copies(kIn + kWait + "e = async_work_group_copy(tile, in, 8, e);\n" + kWait,
                  {"barriers"}) == "invalid_event 5\n");
  CHECK(of_copies(kIn, {"barriers"}) == "missing_wait 3\n");
}

TEST_CASE("Copies past the end of what they read or write") {
  CHECK(of_copies("event_t e = async_work_group_copy(tile, in + 60 * g, 8, 0);\n" + kWait,
                  {"bounds"}) == "out_of_bounds 3\n");
  CHECK(of_copies("event_t e = async_work_group_copy(tile + 4, in, 8, 0);\n" + kWait, {"bounds"}) ==
        "out_of_bounds 3\n");
}

TEST_CASE("Copies of what nobody has written") {
  CHECK(of_copies("if (l < 7) tile[l] = 1;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                  "event_t e = async_work_group_copy(out + 8 * g, tile, 8, 0);\n" +
                  kWait) == "uninitialized 5\n");
}
