// Inputs for kernels that rely on work-items in lock step, whose groups have as many.
#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"

#include "gputest/error.h"
#include "model/launches/lock_step.h"

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

Target in_step(const char* file, const char* kernel, std::uint64_t lanes) {
  gputest::frontend::SourceOptions options;
  options.file = std::string(GPUTEST_TEST_DATA) + "/kernels/" + file;
  options.source_root = std::string(GPUTEST_TEST_DATA) + "/kernels";
  options.definitions = {gputest::model::lock_step_definition(lanes)};
  return targets_of(options, kernel).front();
}

} // namespace

TEST_CASE("Cases for work-items in lock step can run where all write one value to one place") {
  const Folder folder;
  const Target of = in_step("in_step.cl", "same_value", 32);
  const Generated generated = generate(of, settings(folder), {});
  CHECK(generated.reached == generated.goals.size());
  REQUIRE_FALSE(generated.written.empty());
  std::vector<std::string> notes;
  for (const Written& written : generated.written)
    for (const KnownInput& known : inputs_of(of, settings(folder), written.file, notes))
      CHECK(known.input.shape.items_of_group() >= 32);
  CHECK(notes.empty()); // on cases that no harness takes
}

TEST_CASE("Kernels whose groups are too small for lock step are refused") {
  const std::string why = "32 work-items cannot be in lock step, because a work-group has 16";
  CHECK(why_not(in_step("in_step.cl", "of_16", 32)) == why);
  CHECK(why_not(in_step("in_step.cu", "of_16", 32)) == why);
  CHECK(why_not(in_step("in_step.cl", "of_16", 16)).empty());
  CHECK(why_not(in_step("in_step.cl", "same_value", 64)).empty());
}

TEST_CASE("The group of a given launch is as large as lock step needs") {
  const Target of = in_step("in_step.cl", "same_value", 32);
  InputSettings given;
  given.global_size = {256};
  CHECK(constraints_of(of, given).shapes.at(0).local[0] == 32);
  given.local_size = {16};
  CHECK_THROWS_WITH(constraints_of(of, given),
                    ContainsSubstring("in lock step, because a work-group has 16") &&
                        !ContainsSubstring("give --local-size"));
  given.global_size = {100};
  given.local_size = {};
  CHECK_THROWS_WITH(constraints_of(of, given),
                    ContainsSubstring("because a work-group has 4: give --local-size"));
}
