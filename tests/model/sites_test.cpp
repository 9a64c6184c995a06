#include "model/sites.h"

#include "tests/catch.h"
#include "tests/model/absurd_numbers.h"
#include "tests/model/coverage_builder.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace gputest::model;
using namespace gputest::tests;

namespace {

SiteTable sample_sites() {
  SiteTable table;
  table.source = "k.cl";
  table.coverage_words = 2;
  table.divergence_words = 1;
  table.kernels = {{.name = "k", .functions = {"k", "helper"}, .straight_line = true}};
  table.sites = {{.id = "k.branch.1",
                  .criterion = Criterion::Branch,
                  .kind = "if",
                  .function = "k",
                  .file = "k.cl",
                  .line = 1,
                  .column = 2,
                  .end_line = 3,
                  .end_column = 4,
                  .text = "\"ü\" < \\",
                  .outcomes = {{.name = "true", .bit = 62}, {.name = "false", .bit = 63}}}};
  table.votes = {{.word = 0,
                  .function = "k",
                  .file = "k.cl",
                  .line = 5,
                  .column = 6,
                  .text = "i < n",
                  .barriers = {"k.barrier.1", "k.barrier.2"}}};
  table.not_instrumented = {{.file = "k.cl",
                             .line = 7,
                             .column = 8,
                             .function = "",
                             .construct = "asm",
                             .reason = "unknown"}};
  table.not_counted = {loop_not_counted("the loop always runs more than once")};
  table.device_macros = {{.name = "cl_khr_fp64", .value = "1", .file = "k.cl", .line = 9},
                         {.name = "cl_khr_fp16", .value = std::nullopt, .file = "k.cl", .line = 9}};
  return table;
}

} // namespace

TEST_CASE("criteria have names") {
  for (const char* name : {"statement", "branch", "condition", "loop", "barrier"}) {
    REQUIRE(named<Criterion>(name));
    CHECK(name_of(*named<Criterion>(name)) == name);
  }
  CHECK_FALSE(named<Criterion>("Branch"));
}

TEST_CASE("sites.json reads back as it was written") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sites.json";
  write_site_table(sample_sites(), file);
  CHECK(read_site_table(file) == sample_sites());
}

TEST_CASE("what is wrong in a sites.json is named") {
  const auto refusal = [](const auto& change) {
    auto json = to_json(sample_sites());
    change(json);
    return message_of<FormatError>([&] { site_table_from_json(json); });
  };
  CHECK(refusal([](auto& json) { json["sites"][0]["outcomes"][1]["bit"] = 64; }) ==
        "an outcome's 'bit' lies outside 'coverage_words'");
  CHECK(refusal([](auto& json) { json["kernels"][0].erase("functions"); }) ==
        "key 'functions' is missing");
  CHECK(refusal([](auto& json) { json["votes"][0]["barriers"] = {1}; }) ==
        "key 'barriers' has the wrong type: [1]");
  CHECK(refusal([](auto& json) { json["device_macros"] = nullptr; }) ==
        "key 'device_macros' is not an array");
}

TEST_CASE("Absurd numbers in a table of sites are refused, or in proportion") {
  const SiteTable good = sample_sites();
  std::size_t refused = 0;
  const std::size_t count =
      with_absurd_numbers(to_json(good), [&](const auto& json, const std::string& what) {
        INFO(what);
        SiteTable read;
        try {
          read = site_table_from_json(json);
        } catch (const FormatError&) {
          ++refused;
          return;
        }
        CHECK(read.coverage_words <= 1u << 20);
        CHECK(read.divergence_words <= 1u << 20);
        for (const Site& site : read.sites)
          for (const Outcome& outcome : site.outcomes)
            CHECK(outcome.bit < std::uint64_t{read.coverage_words} * 32);
      });
  CHECK(count > 100);
  CHECK(refused > count / 3);
}
