#include "runtime/analyses/mutation/selection.h"

#include "gputest/error.h"
#include "model/mutation/changed_parts.h"
#include "process/command.h"
#include "runtime/analyses/mutation/since.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <map>
#include <set>

using namespace gputest;
using namespace gputest::runtime;
using gputest::tests::contains;
using gputest::tests::message_of;
using gputest::tests::TemporaryFolder;

namespace {

model::Mutant mutant(const std::string& id, const std::string& name, unsigned line,
                     const std::string& function = "k") {
  model::Mutant mutant;
  mutant.id = id;
  mutant.operators = {name};
  mutant.function = function;
  mutant.file = "k.cl";
  mutant.line = mutant.end_line = line;
  return mutant;
}

model::MutantTable table_of(std::vector<model::Mutant> mutants) {
  model::MutantTable table;
  table.source = "k.cl";
  table.kernels = {{"k", {"k", "helper"}}, {"other", {"other"}}};
  table.mutants = std::move(mutants);
  return table;
}

using Given = std::map<std::string, std::string>; // by name

model::Settings settings_with(const Given& given) {
  model::Settings settings(*model::find_analysis(model::analyses(), "mutation"));
  for (const auto& [name, value] : given)
    settings.set(name, value);
  return settings;
}

MutationPlan plan_with(const Given& given = {}) {
  return make_mutation_plan(settings_with(given), "/build/gputest/k");
}

std::vector<std::string> ids(const MutantSelection& selection) {
  std::vector<std::string> ids;
  for (const model::Mutant* one : selection.mutants)
    ids.push_back(one->id);
  return ids;
}

using Ids = std::vector<std::string>;

model::MutantTable many(unsigned count) {
  std::vector<model::Mutant> mutants;
  for (unsigned i = 0; i < count; ++i)
    mutants.push_back(mutant("m" + std::to_string(i), "math_replacement", i + 1));
  return table_of(std::move(mutants));
}

} // namespace

TEST_CASE("mutants of functions and files") {
  model::MutantTable table =
      table_of({mutant("a", "math_replacement", 1), mutant("b", "math_replacement", 2, "helper"),
                mutant("c", "math_replacement", 3, "other")});
  table.mutants[1].file = "filters/helper.h";
  const auto selected = [&](const Given& given) {
    return ids(select_mutants(table, "k", plan_with(given), std::nullopt));
  };
  CHECK(selected({}) == Ids{"a", "b"});
  CHECK(selected({{"functions", "helper"}}) == Ids{"b"});
  CHECK(selected({{"functions", "k,helper"}}) == Ids{"a", "b"});
  CHECK(selected({{"functions", "help*"}}) == Ids{"b"});
  CHECK(selected({{"files", "*.cl"}}) == Ids{"a"});
  CHECK(selected({{"files", "filters/*"}, {"functions", "helper"}}) == Ids{"b"});
  CHECK(selected({{"files", "*.cl"}, {"functions", "helper"}}).empty());
  CHECK(contains(message_of<UsageError>([&] { selected({{"functions", "other"}}); }),
                 "no mutant is in a function 'other'; there are mutants in: helper, k"));
  CHECK(contains(message_of<UsageError>([&] { selected({{"files", "*.cu"}}); }),
                 "no file with mutants matches '*.cu'; there are: filters/helper.h, k.cl"));
}

TEST_CASE("mutants are selected by kernel, operator and id") {
  auto table = table_of({mutant("a", "math_replacement", 1), mutant("b", "sync_removal", 2),
                         mutant("c", "math_replacement", 3, "helper"),
                         mutant("d", "math_replacement", 4, "other")});
  CHECK(ids(select_mutants(table, "k", plan_with(), std::nullopt)) == Ids{"a", "b", "c"});
  CHECK(ids(select_mutants(table, "other", plan_with(), std::nullopt)) == Ids{"d"});
  CHECK(ids(select_mutants(table, "k", plan_with({{"operators", "gpu"}}), std::nullopt)) ==
        Ids{"b"});
  CHECK(ids(select_mutants(table, "k", plan_with({{"operators", "math_replacement,sync_removal"}}),
                           std::nullopt)) == Ids{"a", "b", "c"});
  CHECK(ids(select_mutants(table, "k", plan_with({{"mutant", "c,a"}}), std::nullopt)) ==
        Ids{"a", "c"});
  CHECK(contains(message_of<UsageError>([&] {
                   select_mutants(table, "k", plan_with({{"mutant", "z"}}), std::nullopt);
                 }),
                 "there is no mutant 'z'"));
}

TEST_CASE("mutants on changed lines are selected, also those that begin before") {
  auto table = table_of({mutant("a", "math_replacement", 1), mutant("b", "math_replacement", 5),
                         mutant("c", "math_replacement", 8)});
  table.mutants[0].end_line = 4;
  const ChangedLines changed{{"k.cl", {{3, 3}, {8, 9}}}};
  CHECK(ids(select_mutants(table, "k", plan_with(), changed)) == Ids{"a", "c"});
  CHECK(ids(select_mutants(table, "k", plan_with(), ChangedLines{})).empty());
}

TEST_CASE("a larger sample has all of a smaller one, another seed draws others") {
  auto table = many(200);
  const auto sample = [&](unsigned count, unsigned seed) {
    Given options;
    options["sample"] = std::to_string(count);
    options["seed"] = std::to_string(seed);
    const auto selection = select_mutants(table, "k", plan_with(options), std::nullopt);
    CHECK(selection.population == 200);
    return ids(selection);
  };
  const Ids small = sample(20, 1), large = sample(50, 1), other = sample(20, 2);
  CHECK(small.size() == 20);
  CHECK(large.size() == 50);
  const std::set<std::string> in_large(large.begin(), large.end());
  CHECK(std::ranges::all_of(small, [&](const auto& id) { return in_large.contains(id); }));
  CHECK(small != other);
  CHECK(sample(20, 1) == small);
  CHECK(sample(1000, 1).size() == 200);
}

TEST_CASE("a mutant's place in a sample does not depend on where it stands") {
  auto table = many(100);
  Given options;
  options["sample"] = "10";
  const Ids before = ids(select_mutants(table, "k", plan_with(options), std::nullopt));
  std::ranges::reverse(table.mutants);
  Ids after = ids(select_mutants(table, "k", plan_with(options), std::nullopt));
  CHECK(std::set(before.begin(), before.end()) == std::set(after.begin(), after.end()));
}

TEST_CASE("shards part the mutants, and a sample of them") {
  auto table = many(100);
  for (const bool sampled : {false, true}) {
    std::multiset<std::string> together;
    std::uint64_t population = 0;
    for (unsigned k = 1; k <= 3; ++k) {
      Given options;
      options["shard"] = std::to_string(k) + "/3";
      if (sampled)
        options["sample"] = "30";
      const auto selection = select_mutants(table, "k", plan_with(options), std::nullopt);
      CHECK(selection.mutants.size() > (sampled ? 2u : 15u));
      population += selection.population;
      for (const auto& id : ids(selection))
        together.insert(id);
    }
    CHECK(population == 100);
    CHECK(together.size() == (sampled ? 30u : 100u));
    CHECK(std::set(together.begin(), together.end()).size() == together.size());
  }
}

TEST_CASE("options override what is described, and are checked") {
  model::Settings settings = settings_with(
      {{"threshold", "50"}, {"operators", "gpu"}, {"repeat", "7"}, {"store", "../x.db"}});
  settings.resolve("/bin/folder");
  settings.add(settings_with({{"threshold", "60"}}));
  const MutationPlan plan = make_mutation_plan(settings, "/build/gputest/k");
  CHECK(plan.threshold == 60.0);
  CHECK(plan.repeat == 7);
  CHECK(plan.timeout_factor == 10);
  CHECK(plan.store == "/bin/x.db");
  CHECK(std::ranges::count(plan.operators, "barrier_deletion") == 1);
  CHECK(std::ranges::count(plan.operators, "math_replacement") == 0);
  CHECK(plan_with().store == "/build/gputest/results.db");
  CHECK(default_result(plan_with(), "/k") == "/k/mutation.json");
  const MutationPlan shard = plan_with({{"shard", "2/4"}});
  const std::string folder = shard.shards_folder.string() + "/2-of-4";
  CHECK(default_result(shard, "/build/gputest/k") == folder + "/mutation-2-of-4.json");
  CHECK(shard.store == folder + "/results.db");

  CHECK(contains(
      message_of<model::SettingError>([] { plan_with({{"operators", "math_replacment"}}); }),
      "did you mean 'math_replacement'"));
  CHECK_FALSE(contains( // nothing is near
      message_of<model::SettingError>([] { plan_with({{"operators", "everything_else"}}); }),
      "did you mean"));
  for (const char* wrong : {"0/4", "5/4", "1", "1/4x"})
    CHECK(contains(message_of<UsageError>([&] { plan_with({{"shard", wrong}}); }), "give K/N"));
}

TEST_CASE("A diff names the lines that it has changed or added") {
  const std::string diff = "--- a/k.cl\n+++ b/k.cl\n@@ -3,2 +3 @@ kernel void k(\n-x\n-y\n+z\n"
                           "@@ -10 +8,3 @@\n@@ -20,4 +20,0 @@\n";
  CHECK(model::changed_parts(diff) == std::vector<std::pair<unsigned, unsigned>>{{3, 3}, {8, 10}});
}

TEST_CASE("changed lines come from git") {
  const TemporaryFolder folder;
  const auto file = folder.write("src/k.cl", "one\ntwo\nthree\nfour\n");
  const auto git = [&](std::vector<std::string> arguments) {
    std::vector<std::string> command{
        "/usr/bin/env",     "git", "-C",         folder.path().string(), "-c",
        "user.email=a@b.c", "-c",  "user.name=a"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const process::CommandResult result = process::run_command(command);
    INFO(result.output);
    REQUIRE(result.exit_code == 0);
  };
  const std::map<std::string, std::filesystem::path> files{{"k.cl", file}};
  CHECK(contains(message_of<UsageError>([&] { changed_lines(files, "HEAD"); }),
                 "is in no git work tree"));
  git({"init", "-q", "-b", "main"});
  git({"add", "src/k.cl"});
  git({"commit", "-q", "-m", "first"});
  CHECK(changed_lines(files, "HEAD").at("k.cl").empty());
  folder.write("src/k.cl", "one\nTWO\nthree\nfour\nfive\n");
  using Parts = std::vector<std::pair<unsigned, unsigned>>;
  CHECK(changed_lines(files, "HEAD").at("k.cl") == Parts{{2, 2}, {5, 5}});
  CHECK(changed_lines(files, "main").at("k.cl") == Parts{{2, 2}, {5, 5}});
  for (const char* ref : {"nowhere", "--output=x", ""})
    CHECK(contains(message_of<UsageError>([&] { changed_lines(files, ref); }),
                   "no such commit, branch or tag"));
  const auto fresh = folder.write("src/new.cl", "one\n");
  const auto changed = changed_lines({{"new.cl", fresh}}, "HEAD").at("new.cl");
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].first == 1);
}

TEST_CASE("of duplicates whose first is not selected, one is run") {
  model::MutantTable table;
  table.kernels = {{.name = "k", .functions = {"k"}}};
  table.mutants = {mutant("a", "math_replacement", 1), mutant("b", "relational_replacement", 1),
                   mutant("c", "relational_replacement", 2),
                   mutant("d", "relational_replacement", 3)};
  for (std::size_t i = 1; i < 4; ++i)
    table.mutants[i].duplicate_of = "a";
  model::MutantTable all = table;
  select_mutants(all, "k", plan_with(), std::nullopt);
  CHECK(all == table);
  const auto selection = select_mutants(
      table, "k", plan_with({{"operators", "relational_replacement"}}), std::nullopt);
  REQUIRE(selection.mutants.size() == 3);
  CHECK(selection.mutants[0]->duplicate_of.empty());
  CHECK(selection.mutants[1]->duplicate_of == "b");
  CHECK(selection.mutants[2]->duplicate_of == "b");
}
