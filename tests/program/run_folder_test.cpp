#include "program/opencl/run_folder.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <array>
#include <fstream>

using namespace gputest::program;
using gputest::tests::TemporaryFolder;

namespace {

const std::string kBegin = "{\"event\": \"process\", \"format\": \"gputest-run-log-1\"}\n";

// Returns the records of a folder with one log.
RunRecords records_of(const std::string& log) {
  const TemporaryFolder folder;
  folder.write("1-1.jsonl", log);
  return read_run_folder(folder.path());
}

} // namespace

TEST_CASE("What processes left is read in order of their start, as far as it is complete") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  };
  write("9-200.jsonl", kBegin);
  write("7-1000.jsonl", kBegin + R"({"event": "program", "program": 0, "wanted": true, "stem": "a"}
{"event": "not_measured", "program": 0, "kernel": "k", "reason": "r"}
{"event": "not_measured", "program": 0, "kernel": "k", "reason": "r"}
{"event": "not_meas)");
  const std::array<std::uint64_t, 6> words{3,  11, 0,
                                           13, 0,  0}; // there are three; the file is longer
  write("9-200.reads", {reinterpret_cast<const char*>(words.data()), sizeof words});
  const RunRecords records = read_run_folder(folder.path());
  CHECK(records.processes == 2);
  REQUIRE(records.reads.size() == 2);
  CHECK(records.reads[0] == std::vector<std::uint64_t>{11, 0, 13});
  CHECK(records.reads[1].empty());
  REQUIRE(records.programs.size() == 1);
  CHECK(records.not_measured == std::vector{NotMeasured{"a", "k", "r"}});
  CHECK_FALSE(records.no_device);
}

TEST_CASE(
    "The kinds of a recorded launch's arguments are those of arguments, or the log is refused") {
  const auto read = [](const std::string& kind) {
    return records_of(kBegin +
                      R"({"event": "launch", "program": 0, "kernel": "k", "global_size": [1], )"
                      R"("local_size": [1], "global_offset": [0], "file": "f", "arguments": )"
                      R"([{"size": 4, "kind": )" +
                      kind + "}]}\n")
        .launches.at(0)
        .arguments.at(0)
        .kind;
  };
  using Kind = gputest::model::ArgumentKind;
  CHECK(read("\"value\"") == Kind::Value);
  CHECK(read("\"local\"") == Kind::Local);
  CHECK(read("\"sampler\"") == Kind::Sampler);
  for (const char* kind : {"\"pipe\"", "\"\"", "1", "null"}) {
    CAPTURE(kind);
    CHECK_THROWS_AS(read(kind), gputest::model::FormatError);
  }
}

TEST_CASE("An event that a log has is what the layer wrote") {
  using namespace gputest::runtime;
  using gputest::model::KillReason;
  const gputest::model::Finding finding{.kind = "race", .site = {"k.cl", 3, 5}, .message = "m"};
  const auto line = [](const RunEvent& event) { return line_of(event) + '\n'; };
  const RunRecords records = records_of(
      line(ProcessEvent{kRunLogFormat}) +
      line(ProgramEvent{.number = 4, .stem = "a", .definitions = {"N=1"}, .wanted = false}) +
      line(StateEvent{.program = 4,
                      .kernel = "k",
                      .file = "s",
                      .launch = 7,
                      .sizes = {.dimensions = 2, .global = {8, 4, 1}, .local = {2, 2, 1}},
                      .ordered = true,
                      .test_case = "c",
                      .note = "n"}) +
      line(NotMeasuredEvent{4, "k", "r"}) + line(NotMeasuredEvent{.reason = "all"}) +
      line(ReadEvent{.index = 2, .file = "r", .argument = "a.k: x"}) +
      line(LaunchEvent{.program = 4,
                       .kernel = "k",
                       .global_size = {8},
                       .arguments = {{.kind = gputest::model::ArgumentKind::Image,
                                      .image = GivenImage{{4, 2}, "RGBA", "FLOAT"}},
                                     {.kind = gputest::model::ArgumentKind::Sampler,
                                      .sampler = GivenSampler{"clamp", "nearest", true}}},
                       .file = "l"}) +
      line(SimulatedEvent{.program = 4, .kernel = "k", .findings = {{0, 2, finding}}}) +
      line(SimulatedEvent{.program = 4, .kernel = "k", .findings = {{0, 3, std::nullopt}}}) +
      line(HostFindingEvent{finding}) + line(TrialNoticedEvent{5, KillReason::OutOfBounds, "d"}) +
      line(UntriedEvent{"a.k", "u"}) + line(ReadByThreadsEvent()));
  REQUIRE((records.programs.size() == 1 && records.states.size() == 1 && records.kept.size() == 1 &&
           records.launches.size() == 1 && records.simulated.size() == 2 &&
           records.of_host.size() == 1));
  CHECK(records.programs[0].process == "1-1");
  CHECK(records.programs[0].number == 4);
  CHECK(records.programs[0].definitions == std::vector<std::string>{"N=1"});
  CHECK_FALSE(records.programs[0].wanted);
  CHECK(records.states[0].file.filename() == "s");
  CHECK(records.states[0].file.has_parent_path());
  CHECK(records.states[0].launch == 7);
  CHECK(records.states[0].sizes.items() == 32);
  CHECK(records.states[0].ordered);
  CHECK(records.states[0].test_case == "c");
  CHECK(records.states[0].note == "n");
  CHECK(records.not_measured == std::vector<NotMeasured>{{"a", "k", "r"}, {"", "", "all"}});
  CHECK(records.kept[0].argument == "a.k: x");
  CHECK(records.launches[0].arguments.at(0).image.value().shape == std::vector<std::size_t>{4, 2});
  CHECK(records.launches[0].arguments.at(1).sampler.value().normalized_coordinates);
  CHECK(records.simulated[0].findings.at(0).count == 2);
  CHECK(records.simulated[1].findings.at(0).message == "m"); // known from the first launch
  CHECK(records.simulated[1].findings.at(0).count == 3);
  CHECK(records.of_host[0] == finding);
  CHECK(records.trials.notices.at(5).reason == KillReason::OutOfBounds);
  CHECK(records.trials.untried.size() == 1);
  CHECK(records.read_by_threads);
}

TEST_CASE("A log of another version is refused, and the message says what to do") {
  using gputest::tests::ContainsSubstring;
  const std::string rest = R"({"event": "program", "program": 0, "wanted": true})"
                           "\n";
  const std::string old = R"({"event": "process", "format": "gputest-run-log-0"})"
                          "\n";
  CHECK(records_of(kBegin + rest).programs.size() == 1);
  CHECK_THROWS_WITH(records_of(old + rest),
                    ContainsSubstring("1-1.jsonl:1: error: the log has the format "
                                      "'gputest-run-log-0', expected 'gputest-run-log-1'") &&
                        ContainsSubstring("use those of one installation"));
  for (const std::string& log : {std::string("{\"event\": \"process\"}\n"), rest})
    CHECK_THROWS_WITH(records_of(log), ContainsSubstring("the log has no format, expected"));
  CHECK_THROWS_WITH(records_of(kBegin + "{\"event\": \"lunch\"}\n"),
                    ContainsSubstring("1-1.jsonl:2: error: the event 'lunch' is unknown"));
  // A full disk cuts the first line.
  CHECK(records_of("{\"event\": \"pro" + rest + rest).programs.size() == 1);
}

TEST_CASE("A program is skipped that says so, and one that found no device and failed") {
  RunRecords records;
  ChildResult result;
  CHECK_FALSE(is_skipped(result, records));
  result.exit_code = kSkipped;
  CHECK(is_skipped(result, records));
  result.exit_code = 1;
  CHECK_FALSE(is_skipped(result, records));
  records.no_device = true;
  CHECK(is_skipped(result, records));
}
