#include "model/schedules/results.h"
#include "model/schedules/sites.h"

#include "tests/catch.h"

#include <nlohmann/json.hpp>

using namespace gputest::model;
using gputest::tests::ContainsSubstring;

namespace {

ScheduleFinding finding() {
  ScheduleFinding result;
  result.kind = FindingKind::Waits;
  result.message = "a work-item waits";
  result.buffer = "out";
  result.differing = 3;
  result.compared = 8;
  result.elements = {{.index = 2, .path = ".s0", .launched = "1", .scheduled = "nan"}};
  result.order = "serial, groups listed";
  result.groups = {3, 2};
  result.items = {7, 0};
  result.file = "schedules/small-1.json";
  result.place_file = "k.cl";
  result.place_text = "while (flag)";
  result.line = 7;
  result.column = 3;
  return result;
}

Schedules schedules() {
  Schedules result;
  result.name = "sum";
  result.kernel = "k";
  result.device = "a device";
  result.source = "k.cl";
  result.strategy = "permute";
  result.seed = 7;
  ScheduledCase held, dependent;
  held.name = "small";
  dependent.name = "large";
  dependent.verdict = ScheduleVerdict::OrderDependent;
  dependent.schedules = 10;
  dependent.runs = 31;
  dependent.seconds = 0.5;
  dependent.findings = {finding()};
  result.cases = {held, dependent};
  result.not_remapped = {{.file = "k.cl",
                          .line = 3,
                          .column = 1,
                          .function = "k",
                          .construct = "block",
                          .reason = "r"}};
  result.notes = {"a note"};
  return result;
}

} // namespace

TEST_CASE("results of schedules are read as they were written") {
  CHECK(schedules_from_json(to_json(schedules())) == schedules());
  const ScheduledCase scheduled = schedules().cases.back();
  CHECK(nlohmann::ordered_json(scheduled).get<ScheduledCase>() == scheduled);
}

TEST_CASE("a kind nobody knows is refused") {
  nlohmann::ordered_json json = to_json(schedules());
  json["cases"][1]["findings"][0]["kind"] = "bad luck";
  CHECK_THROWS_WITH(schedules_from_json(json), ContainsSubstring("unknown value 'bad luck'"));
  for (const FindingKind kind : {FindingKind::BetweenGroups, FindingKind::InvalidCase})
    CHECK(named<FindingKind>(name_of(kind)) == kind);
}

TEST_CASE("a finding names the buffer, the elements, the place and the command") {
  CHECK(text_of(finding(), "build/gputest/sum") ==
        "  waits: a work-item waits\n"
        "    k.cl:7:3: 'while (flag)'\n"
        "    'out' differs in 3 of 8 values:\n"
        "      out[2].s0: 1 as launched, nan in this order\n"
        "      and 2 more\n"
        "    order: serial, groups listed\n"
        "    replay: gputest replay build/gputest/sum/schedules/small-1.json\n");
}

TEST_CASE("what the pass says is read as it was written") {
  ScheduleSites sites;
  sites.source = "k.cl";
  sites.kernels = {{.name = "k", .functions = {"k", "helper"}, .keeps_items = true}};
  sites.loops = {{.function = "k", .file = "k.cl", .line = 2, .column = 3, .text = "for (;;)"}};
  sites.rows = {{.kernel = "k",
                 .argument = 2,
                 .dimension = 1,
                 .file = "k.cl",
                 .line = 4,
                 .column = 5,
                 .text = "i * n + j"}};
  sites.not_remapped = {{.file = "k.cl",
                         .line = 3,
                         .column = 1,
                         .function = "helper",
                         .construct = "block",
                         .reason = "r"}};
  sites.guarded.source = "k.cl";
  CHECK(schedule_sites_from_json(to_json(sites)) == sites);
  CHECK(sites.not_remapped_in("k").size() == 1);
  sites.kernels.push_back({.name = "other", .functions = {"other"}, .keeps_items = false});
  CHECK(sites.not_remapped_in("other").empty());
}
