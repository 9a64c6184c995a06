#include "model/checks/results.h"

#include "tests/catch.h"

#include <nlohmann/json.hpp>
#include <random>

using namespace gputest::model;
using gputest::tests::ContainsSubstring;

namespace {

class Maker {
public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::string word() {
    static const std::vector<std::string> kLetters{"a", "Z", "\"", "\\", "\n", "é", " ", "/", "λ"};
    std::string text;
    for (std::uint64_t left = below(8); left > 0; --left)
      text += kLetters[below(kLetters.size())];
    return text;
  }

  CodePlace place() {
    return {word(), static_cast<unsigned>(random_()), static_cast<unsigned>(random_())};
  }

  Finding finding() {
    Finding finding{.kind = word(), .site = place(), .message = word()};
    if (below(2) == 0)
      finding.other = place();
    finding.count = random_();
    if (below(2) == 0)
      finding.cause = word();
    if (below(2) == 0)
      finding.object = word();
    finding.fatal = below(2) == 0;
    if (below(3) == 0) {
      Schedule schedule{.kernel = word(), .test_case = word(), .harness = word()};
      schedule.sizes.global[0] = schedule.sizes.local[0] = 4;
      schedule.strategy = Strategy::Interleave;
      schedule.turns = {{0, static_cast<std::uint32_t>(below(4)), below(100)}};
      finding.schedule = schedule;
    }
    return finding;
  }

  CheckResults results() {
    CheckResults results{.name = word(),
                         .kernel = word(),
                         .source = word(),
                         .checks = {word()},
                         .cases = {},
                         .findings = {}};
    for (std::uint64_t left = below(4); left > 0; --left)
      results.cases.push_back({.name = word(),
                               .verdict = static_cast<CaseVerdict>(below(6)),
                               .message = word(),
                               .seconds = static_cast<double>(below(1000)) / 8,
                               .launches = below(3),
                               .findings = below(9)});
    for (std::uint64_t left = below(4); left > 0; --left)
      results.findings.push_back({.finding = finding(),
                                  .cases = std::vector<std::string>(1 + below(3), word()),
                                  .launch = below(3),
                                  .replay = word()});
    return results;
  }

private:
  std::mt19937_64 random_;
};

} // namespace

TEST_CASE("findings are read as they were written") {
  Maker make(1);
  for (int i = 0; i < 1000; ++i) {
    const Finding finding = make.finding();
    const std::string text = nlohmann::ordered_json(finding).dump();
    INFO(text);
    CHECK(nlohmann::ordered_json::parse(text).get<Finding>() == finding);
    const CheckResults results = make.results();
    CHECK(check_results_from_json(nlohmann::ordered_json::parse(to_json(results).dump())) ==
          results);
  }
}

TEST_CASE("a finding without one of its keys, or with another type, is refused by the key's name") {
  const Finding finding{.kind = "race",
                        .site = {"k.cl", 3, 5},
                        .message = "data race",
                        .other = {"k.cl", 2, 1},
                        .object = "a",
                        .cause = "races on 'a'"};
  const nlohmann::ordered_json whole = finding;
  for (const auto& [key, value] : whole.items()) {
    nlohmann::ordered_json damaged = whole;
    damaged[key] = nlohmann::ordered_json::object();
    CHECK_THROWS_WITH(damaged.get<Finding>(), ContainsSubstring("key '" + key + "'"));
    if (key == "cause" || key == "object" || key == "other_file") // without it there is none
      continue;
    damaged.erase(key);
    CHECK_THROWS_WITH(damaged.get<Finding>(), ContainsSubstring("key '" + key + "' is missing"));
  }
  nlohmann::ordered_json damaged = whole;
  damaged["line"] = std::uint64_t{1} << 40;
  CHECK_THROWS_WITH(damaged.get<Finding>(), ContainsSubstring("wrong value: 1099511627776"));
  CHECK_THROWS_AS(nlohmann::ordered_json::array().get<Finding>(), FormatError);
}

TEST_CASE("a damaged check.json is refused by the key's name") {
  CheckResults results{.name = "sum", .kernel = "sum", .checks = {"races"}};
  results.cases = {{.name = "small"}};
  results.findings = {{.finding = {.kind = "race", .site = {"k.cl", 3, 5}}, .cases = {"small"}}};
  const nlohmann::ordered_json whole = to_json(results);
  CHECK(check_results_from_json(whole) == results);
  for (const auto& [key, value] : whole.items()) {
    nlohmann::ordered_json damaged = whole;
    damaged.erase(key);
    CHECK_THROWS_WITH(check_results_from_json(damaged),
                      ContainsSubstring("key '" + key + "' is missing"));
  }
  nlohmann::ordered_json damaged = whole;
  damaged["findings"][0]["cases"] = nlohmann::ordered_json::array();
  CHECK_THROWS_WITH(check_results_from_json(damaged), ContainsSubstring("names no case"));
  damaged = whole;
  damaged["format"] = "gputest-check-1";
  CHECK_THROWS_WITH(check_results_from_json(damaged),
                    ContainsSubstring("format is 'gputest-check-1', expected 'gputest-check-2'"));
}

TEST_CASE("A pair of accesses is one finding, whichever came first, and the worse kind of race") {
  const Finding same{.kind = "race_same_value",
                     .site = {"k.cl", 3, 5},
                     .message = "both write the same",
                     .other = {"k.cl", 2, 1},
                     .count = 2};
  Finding race{.kind = "race",
               .site = {"k.cl", 2, 9},
               .message = "data race",
               .other = {"k.cl", 3, 5},
               .count = 3};
  CHECK(pair_of(same) == pair_of(race));
  Finding finding = same;
  CHECK(absorb(finding, race));
  CHECK(finding.kind == "race");
  CHECK(finding.message == "data race");
  CHECK(finding.site == race.site);
  CHECK(finding.count == 5);
  CHECK_FALSE(absorb(finding, same));
  CHECK(finding.message == "data race");
  CHECK(finding.count == 7);
  race.kind = "order_dependence";
  CHECK(pair_of(same) != pair_of(race));
}

TEST_CASE("Accesses outside of different objects in one line are different findings") {
  const Finding read{.kind = "out_of_bounds", .site = {"k.cl", 4, 12}, .object = "in"};
  Finding other = read;
  other.site.column = 20; // the same line, which a mutant may have moved
  CHECK(pair_of(other) == pair_of(read));
  other.object = "mean";
  CHECK(pair_of(other) != pair_of(read));
}
