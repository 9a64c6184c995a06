#include "tests/catch.h"

#include "testgen/cover.h"
#include "testgen/inputs/condition.h"
#include "testgen/inputs/random.h"

using namespace gputest::testgen;

namespace {

// A kernel with the integer scalars n and m, launched in one dimension.
Features features() {
  Target target;
  for (const char* name : {"n", "m"})
    target.arguments.push_back({.name = name,
                                .type = gputest::model::scalar_type(gputest::model::Scalar::Int),
                                .leaves = {},
                                .image = {}});
  return Features(target);
}

// n, m, global, local and groups at random, and what `number` makes of them.
std::vector<Sample>
samples(const std::function<std::int64_t(const std::vector<std::int64_t>&)>& number) {
  Random random(7);
  std::vector<Sample> all;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t local = random.between(1, 6), groups = random.between(1, 4);
    Sample sample{{random.between(0, 20), random.between(0, 20), local * groups, local, groups}, 0};
    sample.number = number(sample.features);
    all.push_back(sample);
  }
  return all;
}

std::string size_of(const std::function<std::int64_t(const std::vector<std::int64_t>&)>& number) {
  const auto found = smallest_bound(features(), samples(number));
  return found ? found->text(features()) : "";
}

std::string condition_of(const std::function<bool(const std::vector<std::int64_t>&)>& holds) {
  const auto found =
      separating_condition(features(), samples([&](const auto& f) { return holds(f) ? 1 : 0; }));
  return found ? found->text(features()) : "";
}

Outcome outcome(std::uint32_t bits) {
  return {.words = {bits}, .extents = {}};
}

} // namespace

TEST_CASE("The simplest size that holds every access is found") {
  CHECK(size_of([](const auto& f) { return f[2]; }) == "global_size(0)");
  CHECK(size_of([](const auto& f) { return f[0]; }) == "n");
  CHECK(size_of([](const auto& f) { return f[0] + 1; }) == "n+1");
  CHECK(size_of([](const auto& f) { return f[0] * f[1]; }) == "n*m");
  CHECK(size_of([](const auto& f) { return 2 * f[2] - 1; }) == "2*global_size(0)-1");
  CHECK(size_of([](const auto&) { return 12; }) == "12");
  // A guard: as often less.
  CHECK(size_of([](const auto& f) { return std::min(f[0], f[2] + 8); }) == "n");
  CHECK(size_of([](const auto& f) { return (f[0] * 7919 + f[1] * 31) % 57; }).empty());
}

TEST_CASE("The condition that tells inputs apart is found") {
  CHECK(condition_of([](const auto& f) { return f[0] < f[2]; }) == "n < global_size(0)");
  CHECK(condition_of([](const auto& f) { return f[1] > 9; }) == "m > 9");
  CHECK(condition_of([](const auto& f) { return f[0] > f[3] * f[4]; }) == "n > global_size(0)");
  CHECK(condition_of([](const auto& f) { return f[0] < f[2] && f[4] > 1; }) ==
        "n < global_size(0) && num_groups(0) > 1");
  CHECK(condition_of([](const auto&) { return true; }).empty());
}

TEST_CASE("A cover takes what reaches most first, and nothing twice") {
  const std::vector<Outcome> outcomes{outcome(0b00011), outcome(0b01110), outcome(0b10000),
                                      outcome(0b01100)};
  std::vector<Goal> goals;
  for (unsigned bit = 0; bit < 6; ++bit) // nobody reaches the last
    goals.push_back({.bit = bit});
  const std::vector<Chosen> cover = smallest_cover(outcomes, goals);
  REQUIRE(cover.size() == 3);
  CHECK(cover[0].input == 1);
  CHECK(cover[0].goals.size() == 3);
  CHECK(cover[1].input == 0);
  CHECK(cover[2].input == 2);
}
