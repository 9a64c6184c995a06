// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic pointers, and addresses in variables of the program.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

const std::vector<std::string> kChecks{"races", "barriers", "bounds", "uninitialized"};

} // namespace

TEST_CASE("A generic pointer is global, local or private") {
  // Digits: is it global, local, private? Then get_fence().
  for (const auto& checks : {std::vector<std::string>(), kChecks}) {
    const Ran ran =
        run({.text = R"(
global int of_program[4];
int told(int* p) {
  return 1000 * (to_global(p) == p && p) + 100 * (to_local(p) == p && p) +
         10 * (to_private(p) == p && p) + get_fence(p);
}
kernel void k(global int* out, local int* given, global int* other) {
  local int own[4];
  int mine[4];
  int* p;
  switch (get_global_id(0)) {
  case 0: p = out + 8; break;
  case 1: p = other + 1; break;
  case 2: p = of_program + 4; break;
  case 3: p = given; break;
  case 4: p = given + 2; break;
  case 5: p = own + 3; break;
  case 6: p = mine + 1; break;
  default: p = 0;
  }
  out[get_global_id(0)] = told(p);
})",
             .global_size = 8,
             .local_size = 4,
             .arguments = {buffer(std::vector<int>(8)), local(8), buffer(std::vector<int>(2))},
             .checks = checks,
             .cl_std = "CL3.0"});
    CHECK(ran.findings() == "");
    CHECK(ran.values<int>(0) == std::vector<int>{1002, 1002, 1002, 101, 101, 101, 10, 0});
  }
}

TEST_CASE("Accesses race through generic pointers whose memory is not known") {
  const auto findings = [](const std::string& memory) {
    return run({.text = "kernel void k(global int* out, local int* given) {\n"
                        "local int own[2]; int mine[2];\n"
                        "int* all[2] = {" +
                        memory +
                        "};\n"
                        "int* p = all[out[9] & 1];\n"
                        "*p = get_local_id(0);\n"
                        "out[get_local_id(0)] = *p;\n}\n",
                .global_size = 4,
                .local_size = 4,
                .arguments = {buffer(std::vector<int>(10)), local(8)},
                .checks = {"races"},
                .cl_std = "CL3.0"})
        .findings();
  };
  CHECK(findings("own, mine") == "race 5/5\n");
  CHECK(findings("given, mine") == "race 5/5\n");
  CHECK(findings("out + 8, mine") == "race 5/5\n");
  CHECK(findings("mine, own").empty());
}

TEST_CASE("Barriers order generic accesses of the memory that they fence alone") {
  const auto findings = [](const std::string& memory, const std::string& fence) {
    return run({.text = "kernel void k(global int* out) {\n"
                        "local int own[4]; int mine[4];\n"
                        "int* all[2] = {" +
                        memory +
                        ", mine};\n"
                        "int* p = all[out[9] & 1];\n"
                        "p[get_local_id(0)] = 1;\n"
                        "barrier(" +
                        fence +
                        ");\n"
                        "p[get_local_id(0) ^ 1] = 2;\n}\n",
                .global_size = 4,
                .local_size = 4,
                .arguments = {buffer(std::vector<int>(10))},
                .checks = {"races"},
                .cl_std = "CL3.0"})
        .findings();
  };
  CHECK(findings("own", "CLK_LOCAL_MEM_FENCE").empty());
  CHECK(findings("own", "CLK_GLOBAL_MEM_FENCE") == "race 7/5\n");
  CHECK(findings("out", "CLK_GLOBAL_MEM_FENCE").empty());
  CHECK(findings("out", "CLK_LOCAL_MEM_FENCE") == "race 7/5\n");
}

TEST_CASE("Variables of the program hold addresses of others, from launch to launch") {
  const std::string text = R"(
typedef struct Node { global struct Node* next; int value; } Node;
global Node third = {0, 3}, second = {&third, 2}, first = {&second, 1};
global Node* global head = &first;
constant int table[3] = {7, 8, 9};
constant int* global entry = table + 1;
global int numbers[4] = {10, 20, 30, 40};
constant struct { global int* at; int more; } fixed = {numbers + 2, 5};
int* global anywhere = numbers + 3;
global int (*global row)[4] = &numbers;
constant char* constant text = "hello";
kernel void k(global int* out) {
  for (global Node* node = head; node; node = node->next)
    out[0] = 10 * out[0] + node->value;
  out[1] = *entry * 10 + (entry == table + 1);
  out[2] = *fixed.at + fixed.more;
  out[3] = *anywhere + (*row)[0];
  out[4] = text[1];
  numbers[2] += 100;
  head = head->next;
  anywhere = numbers;
  entry = table;
}
)";
  for (const auto& checks : {std::vector<std::string>(), kChecks}) {
    const Run once{.text = text,
                   .arguments = {buffer(std::vector<int>(5))},
                   .checks = checks,
                   .cl_std = "CL3.0"};
    const std::vector<Ran> ran = run_all({once, once, once});
    CHECK(ran[0].findings() + ran[1].findings() + ran[2].findings() == "");
    CHECK(ran[0].values<int>(0) == std::vector<int>{123, 81, 35, 50, 'e'});
    CHECK(ran[1].values<int>(0) == std::vector<int>{23, 70, 135, 20, 'e'});
    CHECK(ran[2].values<int>(0) == std::vector<int>{3, 70, 235, 20, 'e'});
  }
}
