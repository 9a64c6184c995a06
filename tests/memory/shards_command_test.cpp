// The command: shards of schedules and of strategies, and the run that takes what they have found.
// The run without shards says what they together must.
#include "tests/memory/command.h"

#include <fmt/format.h>

#include <algorithm>

using namespace gputest::memory::tests;

namespace {

// Runs shards into folders 1, 2, … and returns the words that take them.
std::string run_shards(const Folder& folder, const std::string& command, unsigned shards) {
  std::string take;
  for (unsigned number = 1; number <= shards; ++number) {
    const std::string part = folder.file(std::to_string(number));
    fs::create_directories(part);
    const Ran ran =
        run(fmt::format("{} --shard {}/{} --content c --replays {}/memory --json {}/memory.json",
                        command, number, shards, part, part));
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    take += fmt::format(" --take {}/memory.json", part);
  }
  return take;
}

} // namespace

TEST_CASE("Shards part the schedules, and the run that takes them says what one run says") {
  const Folder folder;
  const std::string kernel =
      fmt::format("'{0}/memory/clock.cl' --case '{0}/memory/clock.json' --schedules 9 --seed 4",
                  GPUTEST_EXAMPLES);
  const Ran alone = run(fmt::format("{} --replays {} --json {}", kernel, folder.file("alone"),
                                    folder.file("alone.json")));
  INFO(alone.output);
  REQUIRE(alone.exit_code == 0);
  const std::string take = run_shards(folder, kernel, 4);
  std::size_t tried = 0;
  for (const char* part : {"1", "2", "3", "4"}) {
    const Json one = folder.json(part + std::string("/memory.json"));
    tried += one["cases"][0]["schedules_tried"].get<std::size_t>();
    CHECK(one["content"] == "c");
  }
  CHECK(tried == 9);
  const std::string whole = fmt::format("{} --replays {} --json {}", kernel, folder.file("whole"),
                                        folder.file("whole.json"));
  const Ran ran = run(whole + take);
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(folder.read("whole.json") == folder.read("alone.json"));
  CHECK(folder.json("whole/1.json")["choices"] == folder.json("alone/1.json")["choices"]);
  // Limits hold for the whole.
  CHECK(run(whole + take + " --overhead 0").exit_code == 1);

  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran wrong = run(arguments);
    CHECK(wrong.exit_code == 2);
    CHECK_THAT(wrong.output, ContainsSubstring(message));
  };
  refused(kernel + " --shard 5/4", "--shard '5/4': give K/N");
  refused(whole + take + " --shard 1/4", "--take is for the run that merges: leave out --shard");
  refused(whole + " --take " + folder.file("alone.json"), "alone.json: error: is of no shard");
  refused(whole + " --take " + folder.file("none.json"), "none.json");
  fs::remove_all(folder.path / "2/memory");
  refused(whole + take, "2/memory/1.json");
}

TEST_CASE("More shards than schedules: some try what others try") {
  const Folder folder;
  const std::string kernel = fmt::format("{} --case {} --argument n=64 --schedules 2",
                                         folder.file("k.cl"), folder.file("case.json"));
  REQUIRE(run(kernel + " --json " + folder.file("alone.json")).exit_code == 0);
  const std::string take = run_shards(folder, kernel, 3);
  REQUIRE(run(kernel + take + " --json " + folder.file("whole.json")).exit_code == 0);
  CHECK(folder.read("whole.json") == folder.read("alone.json"));
}

TEST_CASE("Shards of a strategy have seeds of their own, and the worst of all cases stay") {
  const Folder folder;
  const std::string kernel = fmt::format("'{0}/memory/clock.cl' --case '{0}/memory/clock.json' "
                                         "--strategy random --executions 6 --keep 2 --seed 4",
                                         GPUTEST_EXAMPLES);
  const std::string take = run_shards(folder, kernel, 2);
  const Ran ran = run(fmt::format("{} --replays {} --json {}{}", kernel, folder.file("whole"),
                                  folder.file("whole.json"), take));
  INFO(ran.output);
  REQUIRE(ran.exit_code == 0);
  const Json one = folder.json("1/memory.json"), two = folder.json("2/memory.json"),
             whole = folder.json("whole.json");
  CHECK(one["generation"]["seed"] == 4);
  CHECK(two["generation"]["seed"] == 5);
  CHECK(whole["generation"]["executions"] ==
        one["generation"]["executions"].get<std::size_t>() +
            two["generation"]["executions"].get<std::size_t>());
  CHECK(whole["coverage"]["explored"] >= one["coverage"]["explored"]);
  REQUIRE(whole["cases"].size() == 3);
  const auto lost = [](const Json& report) { return report["overhead"].get<double>(); };
  std::vector<double> all;
  for (const Json& part : {one, two})
    for (std::size_t i = 1; i < part["cases"].size(); ++i)
      all.push_back(lost(part["cases"][i]));
  std::ranges::sort(all, std::greater{});
  CHECK(lost(whole["cases"][1]) == all[0]);
  CHECK(lost(whole["cases"][2]) == all[1]);
  for (const Json& report : whole["cases"]) {
    const std::string replay = folder.file("whole/" + report["replay"].get<std::string>());
    CHECK_THAT(run(fmt::format("'{0}/memory/clock.cl' --case '{0}/memory/clock.json' --replay {1}",
                               GPUTEST_EXAMPLES, replay))
                   .output,
               ContainsSubstring(" cycles, as in the file"));
  }
}
