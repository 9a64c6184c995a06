// Mutants tried on launches, with launches that a function makes up.
#include "layer/instrumentation/trials.h"

#include "runtime/variants/mutation_state.h"
#include "templates/state.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <cstring>
#include <initializer_list>
#include <map>

using namespace gputest::layer;
using gputest::Launch;
using gputest::model::Mutant;
using gputest::model::MutantTable;
using gputest::model::TrialResult;
using gputest::runtime::Bytes;
using gputest::tests::ContainsSubstring;

namespace {

// Its plans have the number of the mutant and the order in two words.
class Made : public Instrumentation {
public:
  Made() {
    for (unsigned i = 0; i < 6; ++i) {
      Mutant mutant;
      mutant.id = "m" + std::to_string(i);
      mutant.number = i + 1;
      mutant.site = i;
      mutant.function = "k";
      table_.mutants.push_back(mutant);
    }
    table_.reached_bits = 6;
  }

  gputest::model::Variant variant() const override { return {}; }
  const std::vector<gputest::model::DeviceMacro>& read(const std::filesystem::path&) override {
    return table_.device_macros;
  }
  std::string text(const std::filesystem::path&, const std::filesystem::path&) const override {
    return "";
  }
  void add_options(const std::string&, gputest::runtime::BuildSettings&) const override {}
  std::vector<std::uint64_t> key(const RequestedLaunch&) const override { return {}; }
  LaunchPlan plan(const RequestedLaunch&) const override { return {}; }
  const MutantTable* mutants() const override { return &table_; }
  LaunchPlan trial(const RequestedLaunch&, const Mutant* mutant, unsigned order,
                   bool) const override {
    LaunchPlan plan{.state = gputest::runtime::make_mutant_state(table_, {}), .launches = {}};
    tried = mutant ? mutant->number : 0;
    in_order = order;
    return plan;
  }

  mutable unsigned tried = 0, in_order = 0;

private:
  MutantTable table_;
};

struct Fixture {
  const gputest::tests::TemporaryFolder folder;
  Settings settings;
  std::optional<RunLog> log;
  std::optional<Trials> trials;
  Made made;
  // What launches leave, by number of the mutant (0: none) and order; else 7.
  std::map<std::pair<unsigned, unsigned>, int> leaves;
  unsigned noticed = 0, refused = 0; // numbers of mutants
  unsigned launches = 0;

  explicit Fixture(std::initializer_list<gputest::model::Trial> wanted) {
    settings.trials = wanted;
    log.emplace(folder.path());
    trials.emplace(*log, settings);
  }

  void look(unsigned reached = 0x3f) {
    const std::string kernel = "k", label = "a.k";
    const RequestedLaunch request{.kernel = kernel, .label = label, .launch = Launch{}};
    trials->look(made, request, "a", [&](const LaunchPlan& plan) {
      ++launches;
      Trials::Made result{.launched = made.tried != refused || refused == 0,
                          .state = plan.state,
                          .memory = {Bytes(4)}};
      const auto known = leaves.find({made.tried, made.in_order});
      result.memory[0][0] = std::byte(known == leaves.end() ? 7 : known->second);
      const auto put = [&](std::size_t word, std::uint32_t value) {
        std::memcpy(result.state.data() + word * sizeof value, &value, sizeof value);
      };
      put(GPUTEST_STATE_HEADER_WORDS, reached);
      if (noticed != 0 && made.tried == noticed)
        put(GPUTEST_STATE_EVENTS, GPUTEST_EVENT_DIVISION);
      return result;
    });
  }

  TrialResult result(std::size_t index) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().extension() == ".bin")
        return static_cast<TrialResult>(folder.read(entry.path().filename().string()).at(index));
    return TrialResult::Nothing;
  }
  std::string events() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().extension() == ".jsonl")
        return folder.read(entry.path().filename().string());
    return "";
  }
};

} // namespace

TEST_CASE("A mutant differs, is noticed or changes nothing, launch by launch") {
  Fixture tried({{"a", "m0"}, {"a", "m1"}, {"a", "m2"}, {"a", "m3"}, {"b", "m4"}, {"a", "none"}});
  tried.leaves[{2, 0}] = 8;
  tried.noticed = 3;
  tried.look(0b0111);
  CHECK(tried.launches == 2 + 3); // m3 is not reached
  CHECK(tried.result(0) == TrialResult::Nothing);
  CHECK(tried.result(1) == TrialResult::Differs);
  CHECK(tried.result(2) == TrialResult::Noticed);
  CHECK(tried.result(3) == TrialResult::Nothing);
  CHECK_THAT(tried.events(), ContainsSubstring(R"("event":"trial_noticed")") &&
                                 ContainsSubstring(R"("reason":"division by zero")") &&
                                 ContainsSubstring(R"("trial":2)"));
  // The next launch: what is known already is not tried again.
  tried.launches = 0;
  tried.leaves[{4, 0}] = 9;
  tried.look();
  CHECK(tried.launches == 2 + 2);
  CHECK(tried.result(0) == TrialResult::Nothing);
  CHECK(tried.result(3) == TrialResult::Differs);
  tried.refused = 1;
  tried.look();
  CHECK(tried.result(0) == TrialResult::Differs);
  CHECK(tried.result(4) == TrialResult::Nothing); // of another source
  CHECK(tried.trials->wants("b"));
}

TEST_CASE("Orders have originals of their own") {
  Fixture tried({{"a", "m0", 0}, {"a", "m0", 1}, {"a", "m1", 1}, {"a", "m0", 2}});
  tried.leaves[{2, 1}] = 8; // m1 in order 1
  tried.leaves[{0, 2}] = 9; // the original in order 2
  tried.look();
  CHECK(tried.result(0) == TrialResult::Nothing);
  CHECK(tried.result(1) == TrialResult::Nothing);
  CHECK(tried.result(2) == TrialResult::Differs);
  CHECK(tried.result(3) == TrialResult::Differs);
}

TEST_CASE("Of launches that cannot be tried each mutant needs a run") {
  Fixture tried({{"a", "m0"}, {"a", "m1"}, {"b", "m0"}});
  tried.noticed = 1;
  tried.look();
  tried.trials->give_up("a", "a.k", "it prints");
  tried.trials->give_up("a", "a.k", "it prints");
  CHECK(tried.result(0) == TrialResult::Noticed); // as certain as before
  CHECK(tried.result(1) == TrialResult::Differs);
  CHECK(tried.result(2) == TrialResult::Nothing);
  CHECK_FALSE(tried.trials->wants("a"));
  const std::string events = tried.events();
  const auto told = events.find(R"("event":"untried")");
  REQUIRE(told != std::string::npos);
  CHECK(events.find(R"("event":"untried")", told + 1) == std::string::npos);
}

TEST_CASE("A launch that does not leave the same each time tells nothing") {
  Fixture tried({{"a", "m0"}});
  const std::string kernel = "k", label = "a.k";
  const RequestedLaunch request{.kernel = kernel, .label = label, .launch = Launch{}};
  unsigned number = 0;
  const auto varies = [&](const LaunchPlan& plan) {
    Trials::Made result{.launched = true, .state = plan.state, .memory = {Bytes(4)}};
    result.memory[0][0] = std::byte(++number);
    result.state[sizeof(std::uint32_t) * GPUTEST_STATE_HEADER_WORDS] = std::byte(1); // m0
    return result;
  };
  CHECK_THROWS_WITH(tried.trials->look(tried.made, request, "a", varies),
                    "it does not leave the same each time");
  CHECK(number == 2);
}

TEST_CASE("A launch that reaches nothing that is still to be tried is made once") {
  Fixture tried({{"a", "m0"}, {"a", "m1"}});
  tried.look(0b100);
  CHECK(tried.launches == 1);
  tried.leaves[{1, 0}] = tried.leaves[{2, 0}] = 8;
  tried.look(0b001);
  CHECK(tried.launches == 1 + 3);
  CHECK(tried.result(0) == TrialResult::Differs);
  tried.look(0b001); // m1 only would be left
  CHECK(tried.launches == 1 + 3 + 1);
  CHECK(tried.trials->wants("a"));
  tried.look(0b010);
  CHECK_FALSE(tried.trials->wants("a"));
}

TEST_CASE("Where launches take longer than the runs that they save, nothing is tried") {
  Fixture tried({{"a", "m0"}});
  tried.settings.trial_seconds = {{"a", 100}};
  tried.look();
  CHECK(tried.launches == 3);
  tried.settings.trial_seconds = {{"a", 1e-12}};
  CHECK_THROWS_WITH(tried.look(), "making its launches again takes longer than it saves");
  CHECK(tried.launches == 5); // and not with the mutant
}

TEST_CASE("A launch that does harm by itself tells nothing") {
  Fixture tried({{"a", "m0"}});
  tried.settings.harm = {{"a.other", {1}}};
  tried.look();
  CHECK(tried.launches == 3);
  tried.settings.harm = {{"a.k", {1}}};
  CHECK_THROWS_WITH(tried.look(), "it does harm by itself");
  CHECK(tried.launches == 3);
}
