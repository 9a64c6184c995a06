// Invariants of loops: what is asked for, and how often.
#include "tests/catch.h"
#include "tests/testgen/solver.h"

#include "simulator/memory/guard.h"
#include "testgen/solve/invariants.h"
#include "testgen/solve/smtlib.h"
#include "testgen/solve/static_kernel.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace gputest::testgen;

TEST_CASE("A loop of which nothing new is known is asked about once", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const char* const text =
      "kernel void k(global int* out, int n, int m) {\n"
      "  int sum = 0;\n"
      "  for (int i = 0; i < n; i += 3) sum += out[i];\n"
      "  for (int j = m; j > 4; j /= 2) sum ^= out[j];\n"
      "  for (uint width = n; width > 1; width -= width / 2 + 1) sum -= out[width];\n"
      "  out[0] = sum;\n"
      "}\n";
  std::multiset<std::vector<Label>> questions;
  std::size_t variables = 0, settled = 0;
  gputest::simulator::on_large_stack([&] {
    StaticKernel kernel({.name = "t.cl", .text = text, .cl_std = ""}, "k");
    Statics statics(*kernel.item, kernel.shape);
    variables = statics.loop_variables().size();
    Z3Process z3;
    find_invariants(
        statics,
        [&](std::vector<Label> conditions, const std::vector<Label>& doubts) {
          std::vector<Label> all = conditions;
          all.insert(all.end(), doubts.begin(), doubts.end());
          const std::vector<Label> facts = statics.facts(all, true);
          conditions.insert(conditions.end(), facts.begin(), facts.end());
          all.insert(all.end(), facts.begin(), facts.end());
          std::ranges::sort(all);
          questions.insert(all);
          Script script = script_of(statics.table, conditions, Theory::BitVectors, {}, doubts);
          script.question.seconds = 20;
          const Verdict verdict = z3.ask(script.question);
          settled += verdict.kind == Verdict::Kind::Unsatisfiable;
          return verdict;
        },
        1000);
  });
  CHECK(variables >= 3);
  CHECK(settled == questions.size());
  CHECK(questions.size() > variables);
  for (const std::vector<Label>& question : questions)
    CHECK(questions.count(question) == 1);
}
