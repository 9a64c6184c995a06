// Work-items that run together from barrier to barrier do what they do one by one.
#include "ir/builtins.h"
#include "ir/kernels/kernel_module.h"
#include "ir/kernels/lower.h"
#include "ir/lowered_names.h"
#include "ir/optimise.h"
#include "simulator/execute/segments.h"
#include "simulator/execute/steps.h"
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <set>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

// The same by loops over work-items, and by one work-item after the other.
void check_in_both_ways(Run what) {
  const std::vector<int> together = run(what).values<int>(0);
  CHECK(std::ranges::any_of(together, [](int value) { return value != 0; }));
  what.order.items = {.kind = gputest::model::Order::Kind::Reverse};
  CHECK(run(what).values<int>(0) == together);
  what.order = {};
  what.checks = {"bounds"};
  const Ran checked = run(what);
  CHECK(checked.values<int>(0) == together);
  CHECK(checked.findings().empty());
}

// The kernel "k" and its module; what functions stay is as without checks.
CompiledSource lowered(const std::string& text, llvm::LLVMContext& context, KernelShape& shape) {
  const Source source{.name = "t.cl", .text = text, .cl_std = "CL2.0"};
  CompiledSource compiled = compile_for("k", source, context);
  link_builtins(*compiled.module, source.cl_std, true);
  shape = lower(*compiled.module, "k", Keep::Everything);
  return compiled;
}

Segments segments_of(const std::string& text) {
  llvm::LLVMContext context;
  KernelShape shape;
  const CompiledSource compiled = lowered(text, context, shape);
  return make_segments(*compiled.module, shape).value();
}

// Which barriers come next depends on `what`; all of the ways lead to much code, in a loop.
std::string ways_that_meet(int ways, int statements) {
  std::string text = "kernel void k(global int* out, global const int* what, int steps) {\n"
                     "  local int all[32];\n"
                     "  int i = get_local_id(0), mine = i, other = 7;\n"
                     "  for (int s = 0; s < steps; ++s) {\n"
                     "    int way = what[s];\n";
  for (int way = 0; way < ways; ++way)
    text += fmt::format("    if (way == {0}) {{\n"
                        "      all[i] = mine + {0};\n"
                        "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "      other = all[(i + {0}) % 32] + s;\n"
                        "      for (int t = 0; t < (other & 3); ++t)\n"
                        "        mine = mine * 3 + all[(t + {0}) % 32];\n"
                        "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "      for (int t = 0; t < (mine & 3); ++t)\n"
                        "        mine = mine / 2 + {0};\n"
                        "    }}\n",
                        way);
  for (int statement = 0; statement < statements; ++statement)
    text += fmt::format("    if (mine & {0}) mine += other * {0}; else other -= out[mine & 31];\n",
                        statement + 1);
  return text + "    for (int t = 0; t < (mine & 3); ++t)\n"
                "      mine = mine / 3 + other;\n"
                "  }\n"
                "  out[32 + i] = mine + other;\n"
                "}\n";
}

} // namespace

TEST_CASE("What many stops lead to is a segment of its own, not a part of each") {
  const std::string text = ways_that_meet(9, 150);
  const Segments segments = segments_of(text);
  CHECK(segments.count > 9);
  CHECK(segments.junctions > 0);
  CHECK(segments_of(ways_that_meet(9, 2)).junctions == 0);
  std::vector<int> out(64), what;
  for (int i = 0; i < 32; ++i)
    out[static_cast<std::size_t>(i)] = i * i;
  for (int step = 0; step < 20; ++step)
    what.push_back(step * 5 % 11); // some steps go none of the ways
  check_in_both_ways({.text = text,
                      .global_size = 32,
                      .local_size = 32,
                      .arguments = {buffer(out), buffer(what), value(20)}});
}

TEST_CASE("Work-items that run together keep what is theirs") {
  check_in_both_ways({.text = "kernel void k(global int* out, int steps) {\n"
                              "  local int all[64];\n"
                              "  int i = get_local_id(0), own[4] = {i, i + 1, i + 2, i + 3};\n"
                              "  bool odd = i & 1;\n"
                              "  char small = i * 3;\n"
                              "  float4 four = (float4)(i, 1, 2, 3);\n"
                              "  long sum = 0;\n"
                              "  for (int s = 0; s < steps; ++s) {\n"
                              "    all[i] = own[s & 3] + (odd ? small : -small);\n"
                              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    sum += all[(i + s) % 64];\n"
                              "    own[(s + 1) & 3] += all[63 - i];\n"
                              "    four = four.yzwx;\n"
                              "    int* other = &own[i & 3];\n"
                              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    *other += s;\n"
                              "  }\n"
                              "  out[get_global_id(0)] = sum + own[steps & 3] + (int)four.x;\n"
                              "}\n",
                      .global_size = 128,
                      .local_size = 64,
                      .arguments = {buffer(std::vector<int>(128)), value(7)}});
}

TEST_CASE("Code that counts steps is cut where it keeps private arrays, too") {
  llvm::LLVMContext context;
  KernelShape shape;
  const CompiledSource compiled = lowered("kernel void k(global int* out, int n) {\n"
                                          "  local int all[64];\n"
                                          "  int i = get_local_id(0), own[16], other[8];\n"
                                          "  for (int s = 0; s < 16; ++s)\n"
                                          "    own[s] = out[s] * i;\n"
                                          "  for (int s = 0; s < 8; ++s)\n"
                                          "    other[s] = own[n + s];\n"
                                          "  all[i] = own[n] + other[n & 7];\n"
                                          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                          "  out[i] = all[63 - i] + own[i & 15] + other[i & 7];\n"
                                          "}\n",
                                          context, shape);
  simplify(*compiled.module->getFunction(kItemFunction));
  count_steps(*compiled.module);
  const auto segments = make_segments(*compiled.module, shape);
  REQUIRE(segments);
  CHECK(segments->count == 2);
}

TEST_CASE("Functions that call themselves count steps, and others do not") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(R"(
@pointers = constant [1 x ptr] [ptr @called]
define i32 @itself(i32 %n) { %m = call i32 @itself(i32 %n) ret i32 %m }
define i32 @there(i32 %n) { %m = call i32 @back(i32 %n) ret i32 %m }
define i32 @back(i32 %n) { %m = call i32 @there(i32 %n) ret i32 %m }
define i32 @called(i32 %n) { ret i32 %n }
define i32 @once(i32 %n) { %m = call i32 @there(i32 %n) ret i32 %m })",
                                                error, context);
  REQUIRE(module);
  count_steps(*module);
  std::set<std::string> counting;
  for (const llvm::User* user : module->getFunction("gputest_steps_over")->users())
    counting.insert(llvm::cast<llvm::Instruction>(user)->getFunction()->getName().str());
  CHECK(counting == std::set<std::string>{"itself", "there", "back", "called"});
}

TEST_CASE("Loops that go on after barriers, some for all work-items and some for one") {
  check_in_both_ways({.text = "kernel void k(global int* out, int steps) {\n"
                              "  local int all[32];\n"
                              "  int i = get_local_id(0), mine = 0;\n"
                              "  all[i] = i;\n"
                              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "  for (int step = 1; step < steps; step *= 2) {\n"
                              "    int before = i >= step ? all[i - step] : 0;\n"
                              "    for (int t = 0; t < i % 5; ++t)\n"
                              "      mine += before ^ t;\n"
                              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    all[i] += before;\n"
                              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "  }\n"
                              "  if (i % 3 == 0)\n"
                              "    return;\n"
                              "  out[i] = all[i] + mine;\n"
                              "}\n",
                      .global_size = 32,
                      .local_size = 32,
                      .arguments = {buffer(std::vector<int>(32)), value(32)}});
}

TEST_CASE("Kernels with more barriers than are cut") {
  std::string text = "kernel void k(global int* out) {\n"
                     "  local int all[8];\n"
                     "  int i = get_local_id(0), sum = 0;\n";
  for (int step = 0; step < 90; ++step)
    text += "  all[i] = sum + i; barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  sum = (sum + all[(i + 1) % 8]) % 1009; barrier(CLK_LOCAL_MEM_FENCE);\n";
  check_in_both_ways({.text = text + "  out[i] = sum;\n}\n",
                      .global_size = 8,
                      .local_size = 8,
                      .arguments = {buffer(std::vector<int>(8))}});
}

TEST_CASE("Functions that stay functions use variables of the program") {
  std::string text = "global int calls[2];\n"
                     "int count(int x) { return x + ++calls[0]; }\n"
                     "int much(int x, int y) {\n";
  for (int i = 1; i < 40; ++i)
    text += fmt::format("  x = (x * {0} + (y >> 2)) ^ {0}; y += x;\n", i);
  text += "  calls[1] += y;\n  return count(x);\n}\n"
          "kernel void k(global int* data) {\n  int x = data[0];\n";
  for (int i = 0; i < 30; ++i)
    text += "  x = much(x, data[1]);\n";
  text += "  data[1] = calls[0];\n  data[2] = calls[1];\n  data[0] = x;\n}\n";
  llvm::LLVMContext context;
  KernelShape shape;
  const llvm::Function* const much = lowered(text, context, shape).module->getFunction("much");
  REQUIRE(much); // and what it calls is in it
  CHECK(much->arg_size() == 3);
  const std::vector<std::uint32_t> data{5, 6, 0};
  std::uint32_t x = data[0], sum = 0;
  for (std::uint32_t call = 1; call <= 30; ++call) {
    std::uint32_t y = data[1];
    for (std::uint32_t i = 1; i < 40; ++i) {
      x = (x * i + static_cast<std::uint32_t>(static_cast<std::int32_t>(y) >> 2)) ^ i;
      y += x;
    }
    sum += y;
    x += call;
  }
  Run what{.text = text,
           .global_size = 1,
           .local_size = 1,
           .arguments = {buffer(data)},
           .cl_std = "CL2.0"};
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>(), {"bounds", "races"}, {"uninitialized"}}) {
    what.checks = checks;
    const Ran ran = run(what);
    CHECK(ran.values<std::uint32_t>(0) == std::vector<std::uint32_t>{x, 30, sum});
    CHECK(ran.findings().empty());
  }
}

TEST_CASE("Many values are kept apart from each other") {
  std::string declare, use;
  for (int i = 0; i < 90; ++i) {
    declare += fmt::format("  float v{} = in[(i * 7 + {}) % 97];\n", i, i);
    use += fmt::format(" + v{} * {}", i, i + 1);
  }
  std::vector<int> in(97);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * i % 31);
  check_in_both_ways({.text = "kernel void k(global int* out, global const int* in) {\n"
                              "  local int all[64];\n"
                              "  int i = get_local_id(0);\n" +
                              declare +
                              "  all[i] = i;\n"
                              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "  out[get_global_id(0)] = (int)(all[63 - i]" +
                              use + ");\n}\n",
                      .global_size = 128,
                      .local_size = 64,
                      .arguments = {buffer(std::vector<int>(128)), buffer(in)}});
}
