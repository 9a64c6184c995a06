#include "testgen/inputs/mutator.h"

#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"

#include <fmt/format.h>
#include <set>

using namespace gputest;
using namespace gputest::testgen;

namespace {

using Names = std::set<std::string>;

// Those of a hundred new and changed inputs.
Names samplers(const std::string& kernel) {
  const Target target = testgen::tests::target("samplers.cl", kernel);
  const Constraints constraints;
  Mutator mutator(target, constraints, 1);
  Names found;
  Input input = mutator.fresh(mutator.shapes().front(), false);
  for (int i = 0; i < 100; ++i) {
    const SamplerChoice& choice = kSamplers.at(input.arguments.at(1).sampler);
    found.insert(fmt::format("{} {} {}", choice.addressing, choice.filter, choice.normalized));
    input =
        i % 2 == 0 ? mutator.mutated(input, input) : mutator.fresh(mutator.shapes().front(), false);
  }
  return found;
}

} // namespace

TEST_CASE("Samplers are those with which what a kernel reads is defined") {
  Names defined{"clamp_to_edge nearest false", "clamp nearest false"};
  CHECK(samplers("fetched") == defined);
  defined.insert({"clamp_to_edge nearest true", "repeat nearest true"});
  CHECK(samplers("whole") == defined);
  defined.insert({"clamp_to_edge linear false", "mirrored_repeat linear true"});
  CHECK(samplers("filtered") == defined);
}
