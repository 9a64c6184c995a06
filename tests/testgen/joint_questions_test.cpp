// Questions to the solver about two kernels at once.
#include "tests/catch.h"
#include "tests/testgen/random/all_inputs.h"

#include "testgen/comparison/joint_questions.h"

#include <cstring>
#include <fmt/format.h>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::StartsWith;

namespace {

// About kernels that leave these values, from one input.
JointAnswers answers_about(const std::string& first, const std::string& second) {
  const auto target_of = [](const std::string& value) {
    return target_of_text(
        fmt::format("kernel void k(global const int* in, global int* out, int n) {{\n"
                    "  out[0] = {};\n"
                    "}}\n",
                    value),
        false);
  };
  const Target one = target_of(first), other = target_of(second);
  const Constraints constraints = constraints_of(other, InputSettings());
  const Pairing pairing(one, other, constraints, {});
  Input input{.shape = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}}};
  input.arguments.resize(3);
  input.arguments[0].bytes.resize(400);
  input.arguments[1].bytes.resize(4);
  input.arguments[2].bytes.resize(4);
  const int n = 3;
  std::memcpy(input.arguments[2].bytes.data(), &n, sizeof n);
  JointSolver solver(one, other, pairing);
  return solver.ask(std::vector{input}, Deadline::after(60), [](const Input&) {});
}

} // namespace

TEST_CASE("Not all is asked about kernels whose addresses depend on inputs") {
  CHECK(answers_about("in[3] + n", "n + in[3]").all);
  const JointAnswers answers = answers_about("in[n]", "in[n & 7]"); // they differ from 8 on
  CHECK(answers.found == 0);
  CHECK_FALSE(answers.all);
}

TEST_CASE("A launch that the clock ended is told once") {
  std::vector<std::string> notes;
  for (int round = 0; round < 2; ++round)
    JointAnswers{.late = true}.add_notes(notes);
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], StartsWith("with some inputs, ") && ContainsSubstring("was ended"));
}
