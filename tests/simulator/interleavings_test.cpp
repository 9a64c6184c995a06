// All interleavings of kernels: as many as there should be, what they leave, and which lines
// decide.
#include "tests/catch.h"
#include "tests/simulator/scripts.h"
#include "tests/simulator/simulated.h"

#include "ir/error.h"

#include <list>
#include <set>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;
namespace model = gputest::model;
using End = Exploration::End;

namespace {

std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<int>(i) + 1;
  return values;
}

// Sums what a group has; `barrier` is the line within the loop.
Run reduction(const std::string& barrier) {
  return {.text = "kernel void k(global int* data, local int* tile) {\n"
                  "  int l = get_local_id(0);\n"
                  "  tile[l] = data[get_global_id(0)];\n"
                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
                  "    if (l < s) tile[l] += tile[l + s];\n"
                  "    " +
                  barrier +
                  "\n"
                  "  }\n"
                  "  if (l == 0) data[get_global_id(0)] = tile[0];\n"
                  "}\n",
          .global_size = 8,
          .local_size = 4,
          .arguments = {buffer(numbers(8)), local(16)}};
}

std::string dependences(const ExploredLaunch& explored) {
  std::vector<Finding> findings;
  for (const OrderDependence& one : explored.dependences)
    findings.push_back(one.finding);
  return text_of(findings);
}

std::string exploration_error(const Run& what) {
  try {
    explore(what);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kInterpreter =
    "  uchar value = 0;\n"
    "  for (int at = 0; at < length; ++at) {\n"
    "    GLOBAL const int* word = code + (item * length + at) * 4;\n"
    "    switch (word[0]) {\n"
    "    case 0: value = cells[word[1]]; break;\n"
    "    case 1: cells[word[1]] = word[3]; break;\n"
    "    case 2: cells[word[1]] = value + word[3]; break;\n"
    "    case 6: BARRIER; break;\n"
    "    case 7: at += value % 2; break;\n"
    "    case 8: return;\n"
    "    }\n"
    "  }\n"
    "}\n";

// The text of a kernel that interprets scripts, and the truth about random ones.
void check_scripts(const std::string& text, bool cuda) {
  std::mt19937_64 random(11);
  std::vector<Run> all;
  std::vector<BruteForce> truths;
  std::list<Script> scripts;
  while (all.size() < 400) {
    Script script = random_script(random);
    std::size_t length = 1;
    bool barriers = false;
    for (std::vector<Operation>& code : script.processes) {
      length = std::max(length, code.size() + 1);
      for (Operation& operation : code) { // the kernel has no others
        if (operation.kind == Operation::Add || operation.kind == Operation::Exchange ||
            operation.kind == Operation::Copy)
          operation.kind = Operation::WriteRegister;
        barriers = barriers || operation.kind == Operation::Barrier;
      }
    }
    script.waits_for_ended = !cuda;
    script.group = barriers ? script.processes.size() : 0; // one work-group, or each its own
    std::vector<int> words;
    for (const std::vector<Operation>& code : script.processes)
      for (std::size_t at = 0; at < length; ++at)
        if (at < code.size())
          words.insert(words.end(),
                       {static_cast<int>(code[at].kind), static_cast<int>(code[at].cell), 0,
                        static_cast<int>(code[at].value)});
        else
          words.insert(words.end(), {8, 0, 0, 0});
    all.push_back({.text = text,
                   .global_size = script.processes.size(),
                   .local_size = barriers ? script.processes.size() : 1,
                   .arguments = {buffer(std::vector<std::uint8_t>(4)), buffer(words),
                                 value(static_cast<int>(length))},
                   .cuda = cuda});
    scripts.push_back(std::move(script));
    truths.emplace_back(scripts.back());
  }
  const std::vector<ExploredLaunch> explored = explore_all(all);
  std::size_t divergent = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    REQUIRE(explored[i].end == End::Exhausted);
    REQUIRE(explored[i].interleavings == truths[i].traces.size());
    REQUIRE(explored[i].outcomes == truths[i].outcomes.size());
    divergent += !explored[i].findings.empty();
  }
  CHECK((divergent > 10) == !cuda); // all wait at one barrier, or have left
}

} // namespace

TEST_CASE("A missing barrier is found, and its twin is proved to need no other") {
  const ExploredLaunch missing = explore(reduction(""));
  CHECK(missing.end == End::Exhausted);
  CHECK(missing.interleavings == 4); // in each group either reads first, or the other writes
  CHECK(missing.schedules.size() > 1);
  CHECK(dependences(missing) == "order_dependence 6/6\n");
  CHECK_THAT(missing.dependences.at(0).finding.message,
             ContainsSubstring("within a work-group: work-item (") &&
                 ContainsSubstring("of 'argument 1'"));

  const ExploredLaunch whole = explore(reduction("barrier(CLK_LOCAL_MEM_FENCE);"));
  CHECK(whole.end == End::Exhausted);
  CHECK(whole.interleavings == 1); // nothing is left open
  CHECK(whole.schedules.size() == 1);
  CHECK(whole.dependences.empty());
  CHECK(whole.findings.empty());
}

TEST_CASE("Each outcome is replayed by its schedule") {
  const Run what = reduction("");
  const ExploredLaunch explored = explore(what);
  std::set<std::vector<int>> left;
  for (const std::vector<model::Turn>& turns : explored.schedules) {
    const std::vector<int> values = run_turns(what, turns).values<int>(0);
    CHECK(run_turns(what, turns).values<int>(0) == values);
    CHECK(left.insert(values).second);
  }
  CHECK(left.contains({10, 2, 3, 4, 26, 6, 7, 8})); // the right sums are one of them
  // The first is the order in which the simulator always runs.
  CHECK(run_turns(what, {}).values<int>(0) ==
        run_turns(what, explored.schedules[0]).values<int>(0));
  CHECK_THROWS_AS(run_turns(what, {{2, 0, 1}}), InputError);
  CHECK(run_turns(what, {{0, 0, 100}}).values<int>(0) == run_turns(what, {}).values<int>(0));
}

TEST_CASE("As many interleavings as there are") {
  const auto count = [](const std::string& body, std::size_t items, std::size_t group = 1) {
    const ExploredLaunch explored = explore({.text = "kernel void k(global int* data) {\n"
                                                     "  int i = get_global_id(0);\n  " +
                                                     body + "\n}\n",
                                             .global_size = items,
                                             .local_size = group,
                                             .arguments = {buffer(std::vector<int>(8))}});
    CHECK(explored.end == End::Exhausted);
    return std::pair(explored.interleavings, explored.schedules.size());
  };
  using Pair = std::pair<std::uint64_t, std::size_t>;
  CHECK(count("data[i] = i;", 8) == Pair(1, 1));
  CHECK(count("data[0] = i;", 4) == Pair(24, 4)); // each order, and whoever is last
  CHECK(count("data[0] = 7;", 8) == Pair(1, 1));  // all the same
  CHECK(count("atomic_add(data, i);", 8) == Pair(1, 1));
  CHECK(count("data[i] = atomic_inc(data + 7);", 4) == Pair(24, 24));
  CHECK(count("if (i == 0) data[0] = 1; else data[i] = data[0];", 3) == Pair(4, 4));
  CHECK(count("data[0] += i + 1;", 2) == Pair(4, 3)); // an update is lost
  CHECK(count("if (i == 0) data[1] = 1; barrier(CLK_GLOBAL_MEM_FENCE); data[2 + i] = data[1];", 4,
              4) == Pair(1, 1));
  // The barrier of one group does not hold another group.
  CHECK(
      count("if (i == 0) data[1] = 1; barrier(CLK_GLOBAL_MEM_FENCE); data[4 + i] = data[1];", 4, 2)
          .first == 4);
}

TEST_CASE("A kernel that interprets programs has the interleavings that these have") {
  check_scripts(
      std::string("#define GLOBAL global\n#define BARRIER barrier(CLK_GLOBAL_MEM_FENCE)\n"
                  "kernel void k(global uchar* cells, global const int* code, int length) {\n"
                  "  const int item = get_global_id(0);\n") +
          kInterpreter,
      false);
}

TEST_CASE("A kernel of CUDA that interprets them has, too") {
  check_scripts(
      std::string("#define GLOBAL\n#define BARRIER __syncthreads()\ntypedef unsigned char uchar;\n"
                  "__global__ void k(uchar* cells, const int* code, int length) {\n"
                  "  const int item = blockIdx.x * blockDim.x + threadIdx.x;\n") +
          kInterpreter,
      true);
}

TEST_CASE("Interleavings of CUDA: shared memory, threads that leave, words") {
  Run what{.text = "__global__ void k(const int* in, int* out) {\n"
                   "  extern __shared__ int part[];\n"
                   "  __shared__ int sum;\n"
                   "  int t = threadIdx.x;\n"
                   "  if (t == 0) sum = 0;\n"
                   "  part[t] = in[blockIdx.x * 4 + t];\n"
                   "  __syncthreads();\n"
                   "  if (t >= 2) return;\n"
                   "  part[t] += part[t + 2];\n"
                   "  __syncthreads();\n"
                   "  atomicAdd(&sum, part[t]);\n"
                   "  __syncthreads();\n"
                   "  if (t == 0) out[blockIdx.x] = sum;\n"
                   "}\n",
           .global_size = 8,
           .local_size = 4,
           .arguments = {buffer(numbers(8)), buffer(std::vector<int>(2))},
           .cuda = true,
           .shared_bytes = 16};
  const ExploredLaunch whole = explore(what);
  CHECK(whole.end == End::Exhausted);
  CHECK(whole.interleavings == 1);
  CHECK(whole.findings.empty());
  CHECK(run_turns(what, {}).values<int>(1) == std::vector<int>{10, 26});

  // Without the middle barrier nothing orders the second thread's sum and the first one's reading.
  const std::size_t at = what.text.find("  atomicAdd");
  what.text.insert(what.text.find("  __syncthreads();\n", at), "//");
  const ExploredLaunch missing = explore(what);
  CHECK(missing.outcomes == 4); // either block leaves either sum
  CHECK(dependences(missing) == "order_dependence 13/11\n");
  CHECK_THAT(missing.dependences.at(0).finding.message,
             ContainsSubstring("within a block: thread (0) of block (1) reads byte 0 of 'sum'"));
  std::set<std::vector<int>> left;
  for (const std::vector<model::Turn>& turns : missing.schedules)
    left.insert(run_turns(what, turns).values<int>(1));
  CHECK(left == std::set<std::vector<int>>{{10, 26}, {4, 26}, {10, 12}, {4, 12}});
  CHECK_THROWS_WITH(run_turns(what, {{0, 4, 1}}),
                    ContainsSubstring("there is no thread 4 of block 0"));
}

TEST_CASE("A kernel of CUDA that ends itself ends the exploration") {
  const ExploredLaunch ended = explore({.text = "__global__ void k(int* data) {\n"
                                                "  if (threadIdx.x == 0) data[0] = 1;\n"
                                                "  else if (data[0] == 0) __trap();\n"
                                                "}\n",
                                        .global_size = 2,
                                        .local_size = 2,
                                        .arguments = {buffer(std::vector<int>(1))},
                                        .cuda = true});
  CHECK(ended.fatal);
  CHECK(text_of(ended.findings) == "trap 3\n");
}

TEST_CASE("What CUDA has that cannot be followed is named") {
  const auto error = [](const std::string& body, const std::string& before = "") {
    return exploration_error({.text = before + "__global__ void k(int* data) {\n" + body + "\n}\n",
                              .arguments = {buffer(std::vector<int>(1))},
                              .cuda = true});
  };
  CHECK_THAT(error("data[0] = __shfl_sync(1, data[0], 0);"),
             ContainsSubstring("error: threads wait for others of their warp here"));
  CHECK_THAT(error("data[0] = __syncthreads_count(data[0]);"),
             ContainsSubstring("in another way than by __syncthreads()"));
  CHECK_THAT(error("data[0] = clock64();"), ContainsSubstring("asks for the time here"));
  CHECK_THAT(error("int* own = new int(3); data[0] = *own; delete own;"),
             ContainsSubstring("the kernel allocates memory here"));
  CHECK_THAT(error("data[0] = counter++;", "__device__ int counter;\n"),
             ContainsSubstring("'counter' is a variable of the device"));
}

TEST_CASE("Local memory is each group's own") {
  const ExploredLaunch explored = explore({.text = "kernel void k(global int* data) {\n"
                                                   "  local int shared[2];\n"
                                                   "  int l = get_local_id(0);\n"
                                                   "  shared[l] = data[get_global_id(0)];\n"
                                                   "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                                   "  data[get_global_id(0)] = shared[1 - l];\n"
                                                   "}\n",
                                           .global_size = 6,
                                           .local_size = 2,
                                           .arguments = {buffer(numbers(6))}});
  CHECK(explored.interleavings == 1);
  CHECK(explored.end == End::Exhausted);
}

TEST_CASE("Reads are what the source says, however often it reads") {
  // A compiler may make one read of the two; here they are two.
  const ExploredLaunch explored =
      explore({.text = "kernel void k(global int* data) {\n"
                       "  if (get_global_id(0) == 0) { data[0] = 1; return; }\n"
                       "  int first = data[0], second = data[0];\n"
                       "  data[1] = first; data[2] = second;\n"
                       "}\n",
               .global_size = 2,
               .arguments = {buffer(std::vector<int>(3))}});
  CHECK(explored.interleavings == 3);
  CHECK(explored.schedules.size() == 3);
}

TEST_CASE("Copies are read and written at once") {
  const ExploredLaunch explored =
      explore({.text = "struct S { int a[16]; };\n"
                       "kernel void k(global struct S* data) {\n"
                       "  data[get_global_id(0)] = data[1 - get_global_id(0)];\n"
                       "}\n",
               .global_size = 2,
               .arguments = {buffer(numbers(32))}});
  CHECK(explored.interleavings == 2);
  CHECK(explored.schedules.size() == 2);
}

TEST_CASE("On-chip memory begins with the same bytes in all ways to run a kernel") {
  const std::vector<unsigned> unwritten(8, 0xcbcbcbcb);
  for (const bool cuda : {false, true}) {
    CAPTURE(cuda);
    Run what{.text = cuda ? "__global__ void k(unsigned* out) {\n"
                            "  __shared__ unsigned fixed[2];\n"
                            "  extern __shared__ unsigned dynamic[];\n"
                            "  const int at = blockIdx.x * 2 + threadIdx.x;\n"
                            "  out[at] = fixed[threadIdx.x];\n"
                            "  out[at + 4] = dynamic[threadIdx.x];\n"
                            "  fixed[threadIdx.x] = dynamic[threadIdx.x] = 7;\n}\n"
                          : "kernel void k(global uint* out, local uint* dynamic) {\n"
                            "  local uint fixed[2];\n"
                            "  const int at = get_global_id(0), l = get_local_id(0);\n"
                            "  out[at] = fixed[l];\n"
                            "  out[at + 4] = dynamic[l];\n"
                            "  fixed[l] = dynamic[l] = 7;\n}\n",
             .global_size = 4,
             .local_size = 2,
             .arguments = {buffer(std::vector<unsigned>(8))},
             .cuda = cuda,
             .shared_bytes = cuda ? 8U : 0U};
    if (!cuda)
      what.arguments.push_back(local(8));
    CHECK(run(what).values<unsigned>(0) == unwritten);
    CHECK(run_turns(what, {}).values<unsigned>(0) == unwritten);
    CHECK(explore(what).outcomes == 1); // each interleaving begins anew
    what.checks = {"bounds"};
    CHECK(run(what).values<unsigned>(0) == unwritten);
    what.checks = {};
    what.order.groups.kind = model::Order::Kind::Reverse;
    if (!cuda)
      what.order.items.kind = model::Order::Kind::Reverse;
    CHECK(run(what).values<unsigned>(0) == unwritten);
  }
}

TEST_CASE("A barrier that not all work-items reach in some interleaving is a finding") {
  const ExploredLaunch explored = explore({.text = "kernel void k(global int* data) {\n"
                                                   "  int i = get_local_id(0);\n"
                                                   "  if (i == 1) data[0] = 1;\n"
                                                   "  if (i == 0 && data[0]) return;\n"
                                                   "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                                   "}\n",
                                           .global_size = 2,
                                           .local_size = 2,
                                           .arguments = {buffer(std::vector<int>(1))}});
  CHECK(explored.end == End::Exhausted);
  CHECK(text_of(explored.findings) == "divergent_barrier 5\n");
}

TEST_CASE("What is too large, or has no end, is said so") {
  const std::string spin = "kernel void k(global volatile int* data) {\n"
                           "  if (get_global_id(0) == 1) data[0] = 1;\n"
                           "  else while (!data[0]) ;\n"
                           "}\n";
  const ExploredLaunch endless =
      explore({.text = spin, .global_size = 2, .arguments = {buffer(std::vector<int>(1))}});
  CHECK(endless.end == End::Visits);
  CHECK_THAT(endless.stopped_at,
             ContainsSubstring("/t.cl:3:16: ") && ContainsSubstring("work-item (0) of group (0)"));
  const ExploredLaunch many = explore({.text = "kernel void k(global int* d) { d[0] = 1; }\n",
                                       .global_size = 1025,
                                       .arguments = {buffer(std::vector<int>(1))}});
  CHECK_THAT(many.too_large, ContainsSubstring("1025 work-items are more than the 1024"));
  const ExploredLaunch bounded =
      explore({.text = "kernel void k(global int* d) { d[0] = get_global_id(0); }\n",
               .global_size = 6,
               .arguments = {buffer(std::vector<int>(1))}},
              {.interleavings = 100});
  CHECK(bounded.end == End::Interleavings);
  CHECK(bounded.interleavings == 100);
}

TEST_CASE("What cannot be followed is named") {
  CHECK_THAT(exploration_error({.text = "kernel void k(write_only image2d_t image) {\n"
                                        "  write_imagef(image, (int2)(0, 0), (float4)(0));\n"
                                        "}\n"}),
             ContainsSubstring(":2:3: error: an image is written here"));
  CHECK_THAT(
      exploration_error({.text = "global int counter;\n"
                                 "kernel void k(global int* data) { data[0] = counter++; }\n",
                         .cl_std = "CL2.0"}),
      ContainsSubstring("'counter' is a variable of the program"));
}

TEST_CASE("An access outside of a buffer ends the exploration with its line") {
  const ExploredLaunch explored = explore({.text = "kernel void k(global int* data) {\n"
                                                   "  data[100000 * get_global_id(0)] = 1;\n"
                                                   "}\n",
                                           .global_size = 2,
                                           .arguments = {buffer(std::vector<int>(1))}});
  CHECK(explored.fatal);
  CHECK(text_of(explored.findings).starts_with("out_of_bounds "));
}
