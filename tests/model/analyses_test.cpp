// The table of analyses, what CMake knows of it, and settings.
#include "model/analyses.h"
#include "model/settings.h"
#include "model/shard.h"
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/model/cmake_table.h"
#include "tests/model/tally.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace gputest::model {
namespace {

using tests::ContainsSubstring;

const Analysis& named(std::string_view name) {
  return *find_analysis(analyses(), name);
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("CMake knows the analyses as the table has them") {
  const auto same = [](const std::string& file, const std::string& wanted) {
    if (std::getenv("GPUTEST_UPDATE_GOLDEN"))
      std::ofstream(file) << wanted;
    CHECK(text_of(file) == wanted);
  };
  same(GPUTEST_CMAKE_FUNCTIONS "/analyses.cmake",
       "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n" +
           tests::cmake_table(analyses()));
  // One more row: what tests/cmake/errors includes.
  const std::string more = tests::cmake_table(tests::with_tally());
  CHECK_THAT(more, ContainsSubstring("fuzz memory tally)") && ContainsSubstring("MEMORY TALLY)"));
  const std::size_t row = more.find("  set_property(GLOBAL PROPERTY gputest_tally_");
  REQUIRE(row != std::string::npos);
  same(GPUTEST_CMAKE_TESTS "/errors/tally.cmake",
       "# Written by the test unit.model\n" + more.substr(row, more.rfind("endfunction()") - row));
}

TEST_CASE("Names, places and defaults in the table of analyses fit together") {
  std::set<std::string_view> names, results;
  for (const Analysis& analysis : analyses()) {
    INFO(analysis.name);
    CHECK(names.insert(analysis.name).second);
    CHECK(results.insert(analysis.result).second);
    if (!analysis.value.empty() && analysis.value != "*")
      CHECK(find_setting(analysis, analysis.value));
    std::set<std::string_view> settings;
    for (const Setting& setting : analysis.settings) {
      INFO(setting.name);
      CHECK(settings.insert(setting.name).second);
      CHECK(setting.places != 0);
      CHECK(((setting.places & (kInHarness | kInRun)) == 0 || !setting.help.empty()));
      Settings given(analysis);
      if (!setting.fallback.empty() && setting.kind != ValueKind::Flag)
        CHECK_NOTHROW(given.set(setting.name, std::string(setting.fallback)));
    }
  }
}

TEST_CASE("settings have their defaults until they are given") {
  Settings settings(named("mutation"));
  CHECK(settings.real("timeout-factor") == 10);
  CHECK(settings.whole("repeat") == 3);
  CHECK_FALSE(settings.given_real("threshold"));
  CHECK(settings.names("operators").empty());
  settings.set("timeout-factor", "2.5");
  settings.set("operators", "gpu,math_replacement");
  CHECK(settings.real("timeout-factor") == 2.5);
  CHECK(settings.names("operators") == std::vector<std::string>{"gpu", "math_replacement"});
  CHECK_THROWS_AS(settings.given("no such one"), std::logic_error);
}

TEST_CASE("values out of range are refused, and the message says what would do") {
  Settings mutation(named("mutation")), schedules(named("schedules"));
  CHECK_THROWS_WITH(mutation.set("timeout-factor", "0.5"),
                    "TIMEOUT_FACTOR (--timeout-factor): '0.5' is not a number, at least 1");
  CHECK_THROWS_WITH(mutation.set("repeat", "0"),
                    "REPEAT (--repeat): '0' is not a whole number, at least 1");
  CHECK_THROWS_WITH(mutation.set("threshold", "101"),
                    "THRESHOLD (--threshold): '101' is not a percentage, 0 to 100");
  CHECK_THROWS_WITH(schedules.set("strategy", "best"),
                    "STRATEGY (--strategy): 'best' is not one of permute, first, serial, reverse, "
                    "all");
  CHECK_THROWS_WITH(mutation.set("tresholt", "80"), ContainsSubstring("it has: threshold"));
  for (const char* wrong : {"", "nan", "inf", "1x", "-1"})
    CHECK_THROWS_AS(mutation.set("timeout-factor", wrong), SettingError);
  CHECK_THROWS_AS(mutation.set("since", "--output=x"), SettingError);
  CHECK_THROWS_AS(mutation.set("fresh", "1"), SettingError);
}

TEST_CASE("a time limit has a unit, and a variable of the environment wins") {
  Settings mutation(named("mutation"));
  CHECK_FALSE(mutation.given_seconds("time-limit"));
  mutation.set("time-limit", "10min");
  CHECK(mutation.given_seconds("time-limit") == 600);
  CHECK_THROWS_WITH(mutation.set("time-limit", "soon"),
                    "TIME_LIMIT (--time-limit): 'soon' is not a time above 0, such as 10min, 90s "
                    "or 1.5h");
  mutation.set("since", "main");
  const tests::Environment variables({{"GPUTEST_SINCE", "none"}, {"GPUTEST_TIME_LIMIT", "90s"}});
  mutation.take_environment();
  CHECK(mutation.text("since").empty());
  CHECK(mutation.given_seconds("time-limit") == 90);
  Settings coverage(named("coverage"));
  coverage.take_environment(); // has no such settings
  const tests::Environment wrong({{"GPUTEST_TIME_LIMIT", "-3"}});
  CHECK_THROWS_WITH(mutation.take_environment(),
                    "GPUTEST_TIME_LIMIT: '-3' is not a time above 0, such as 10min, 90s or 1.5h");
}

TEST_CASE("the value of an analysis is a setting, or a list of flags that are the only ones then") {
  Settings schedules(named("schedules"));
  schedules.set_value("5");
  CHECK(schedules.whole("count") == 5);
  CHECK_THROWS_WITH(schedules.set_value("0"), "--schedules: '0' is not a whole number, at least 1");
  Settings check(named("check"));
  check.set("interleavings", "7");
  check.set("races", "");
  check.set_value("bounds,interleavings");
  CHECK(check.flags() == std::vector<std::string>{"bounds", "interleavings"});
  CHECK(check.whole("interleavings") == 7);
  check.set_value("interleavings,races");
  CHECK(check.whole("interleavings") == 7);
  CHECK_THROWS_WITH(check.set_value("race"), ContainsSubstring("'race' is no check"));
}

TEST_CASE("of flags, some hold where none is given") {
  Settings check(named("check"));
  CHECK(check.flags() ==
        std::vector<std::string>{"races", "barriers", "bounds", "uninitialized", "arithmetic"});
  check.set("overflow", "");
  CHECK(check.flags() == std::vector<std::string>{"overflow"});
}

TEST_CASE("A setting is refused where it has no place, and the message lists those that have one") {
  CHECK_THROWS_WITH(
      parse_setting(analyses(), kInProgram, "schedules.repeat=3"),
      ContainsSubstring("schedules has no setting 'repeat'; it has: count, strategy"));
}

TEST_CASE("a limit that stands alone has its default") {
  Settings check(named("check"));
  check.set("interleavings", "");
  CHECK(check.whole("interleavings") == 100000);
}

TEST_CASE("A setting is read from the text analysis.name=value, and wrong texts are refused") {
  const NamedSetting one = parse_setting(analyses(), ~0u, "mutation.timeout-factor=20");
  CHECK(one.analysis.name == "mutation");
  CHECK(one.setting.name == "timeout-factor");
  CHECK(one.value == "20");
  CHECK(parse_setting(analyses(), ~0u, "check.races").value.empty());
  for (const char* wrong :
       {"mutation", "mutation.x=1", "nothing.x=1", "mutation.repeat=0", "=.", ""})
    CHECK_THROWS_AS(parse_setting(analyses(), ~0u, wrong), SettingError);
  const Settings settings =
      settings_of(named("mutation"), {{"mutation.repeat", "5"}, {"schedules.repeat", "6"}});
  CHECK(settings.whole("repeat") == 5);
  CHECK(settings.pairs() ==
        std::vector<std::pair<std::string, std::string>>{{"mutation.repeat", "5"}});
}

TEST_CASE("numbers are of their range, and messages say which") {
  struct Row {
    const char *analysis, *setting, *value;
    const char* wrong; // empty: it is right
  };
  constexpr const char* kSize = "a whole number, at least 1";
  constexpr const char* kMost = "a whole number, at least 1 and at most 4294967295";
  for (const Row& row :
       {Row{"mutation", "repeat", "1", ""}, Row{"mutation", "repeat", "4294967295", ""},
        Row{"mutation", "repeat", "2147483648", ""}, Row{"mutation", "repeat", "0", kSize},
        Row{"mutation", "repeat", "-1", kSize}, Row{"mutation", "repeat", "", kSize},
        Row{"mutation", "repeat", "1e9", kSize}, Row{"mutation", "repeat", "many", kSize},
        Row{"mutation", "repeat", " 1", kSize}, Row{"mutation", "repeat", "4294967296", kMost},
        Row{"mutation", "repeat", "9223372036854775808", kMost},
        Row{"mutation", "repeat", "18446744073709551616", kMost},
        Row{"mutation", "timeout-factor", "1e9", ""},
        Row{"mutation", "timeout-factor", "0", "a number, at least 1"},
        Row{"mutation", "timeout-factor", "2e9", "a number, at least 1 and at most 1000000000"},
        Row{"mutation", "timeout-factor", "1e400", "a number, at least 1"},
        Row{"mutation", "timeout-factor", "nan", "a number, at least 1"},
        Row{"mutation", "threshold", "100.5", "a percentage, 0 to 100"},
        Row{"mutation", "threshold", "inf", "a percentage, 0 to 100"}}) {
    INFO(row.setting << " '" << row.value << "'");
    Settings settings(named(row.analysis));
    std::string error;
    try {
      settings.set(row.setting, row.value);
    } catch (const SettingError& thrown) {
      error = thrown.what();
    }
    CHECK((*row.wrong == 0 ? error.empty() : error.ends_with(row.wrong)));
  }
}

TEST_CASE("options take numbers that clocks can count") {
  for (const char* right : {"1", "0.5", "1e9", "1e-9", ".5"})
    CHECK(seconds_of("timeout", right) > 0);
  for (const char* wrong : {"", "0", "-1", "1.5e9", "1e400", "2147483648", "9223372036854775808",
                            "18446744073709551616", "nan", "inf", "ten", "5 s", " 5", "0x10"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(seconds_of("timeout", wrong),
                      ContainsSubstring("--timeout: '" + std::string(wrong) +
                                        "' is not a number of seconds above 0 and at most"));
    if (std::string(wrong) != "0" && std::string(wrong).find_first_of("123") != 0)
      CHECK_THROWS_WITH(real_of("overhead", wrong, 100),
                        ContainsSubstring("is not a number from 0 to 100"));
  }
  CHECK(real_of("overhead", "0", 100) == 0);
  CHECK(real_of("relative", "1e30") == 1e30);
  CHECK_THROWS_AS(real_of("overhead", "100.5", 100), SettingError);
}

TEST_CASE("whole numbers are digits and nothing else, of a range") {
  for (const char* right : {"0", "1", "007", "18446744073709551615"})
    CHECK(whole_of("--seed", right) == std::stoull(right));
  for (const char* wrong : {"",
                            " ",
                            "-1",
                            "-0",
                            "+1",
                            "1 ",
                            " 1",
                            "1x",
                            "x",
                            "1.0",
                            "1e9",
                            "0x10",
                            "1,000",
                            "1'000",
                            "18446744073709551616",
                            "99999999999999999999999",
                            "nan",
                            "inf",
                            "\t1",
                            "1\n",
                            "\u0661"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(whole_of("--seed", wrong),
                      "--seed: '" + std::string(wrong) +
                          "' is not a whole number from 0 to 18446744073709551615");
  }
  CHECK(whole_of("V", "3", {3, 5}) == 3);
  CHECK(whole_of("V", "5", {3, 5}) == 5);
  for (const char* wrong : {"2", "6", "0", "18446744073709551615"})
    CHECK_THROWS_WITH(whole_of("V", wrong, {3, 5}),
                      ContainsSubstring("is not a whole number from 3 to 5"));
  CHECK(shard_in("2/8").value().number == 2);
  CHECK(shard_in("8/8").value().of == 8);
  for (const char* wrong : {"", "/", "1", "1/", "/1", "0/1", "2/1", "1/0", "-1/2", "1/-1", "+1/2",
                            " 1/2", "1/ 2", "1/2 ", "1/2x", "1/2/3", "1/4294967296", "1/1e3"}) {
    INFO(wrong);
    CHECK_FALSE(shard_in(wrong));
  }
}

} // namespace gputest::model
