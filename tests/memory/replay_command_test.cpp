// The command: schedules and generated cases as files, and what runs them again.
#include "tests/memory/command.h"

#include <fmt/format.h>

using namespace gputest::memory::tests;

TEST_CASE("The worst of several schedules is reported, and its file takes the same cycles") {
  const Folder folder;
  folder.write("two.json",
               R"([{"name": "square", "global_size": [64, 64], "local_size": [32, 4],
                    "arguments": {"in": {"size": 4096}, "out": {"size": 4096}, "n": 64}},
                   {"name": "row", "global_size": [64, 1], "local_size": [32, 1],
                    "arguments": {"in": {"size": 64}, "out": {"size": 4096}, "n": 64}}])");
  const std::string kernel = fmt::format("{} --case {} --source-root '{}'", folder.file("k.cl"),
                                         folder.file("two.json"), folder.path.string());
  fs::create_directories(folder.path / "schedules");
  folder.write("schedules/7.json", "of an earlier run");
  const Ran ran = run(fmt::format("{} --schedules 8 --seed 5 --replays {} --json {}", kernel,
                                  folder.file("schedules"), folder.file("memory.json")));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring(" (the worst of 8 schedules): "));
  CHECK_FALSE(fs::exists(folder.path / "schedules/7.json"));
  const Json result = folder.json("memory.json");
  const Json& square = result["cases"][0];
  CHECK(square["schedules_tried"] == 8);
  CHECK(square["replay"] == "1.json"); // the row's warps are no danger to each other
  CHECK(result["cases"][1]["replay"] == "2.json");
  const Json first = folder.json("schedules/1.json");
  CHECK(first["format"] == "gputest-memory-schedule-1");
  CHECK(first["case"] == "square");
  CHECK(first["cycles"] == square["cycles"]);
  CHECK(first["interferences"] == square["interferences"]);
  // No schedule that was tried loses more.
  for (const char* other : {"--schedule round-robin", "--schedule oldest",
                            "--schedule random --seed 5", "--schedule random --seed 10"}) {
    run(fmt::format("{} {} --json {}", kernel, other, folder.file("other.json")));
    CHECK(folder.json("other.json")["overhead_percent"] <= result["overhead_percent"]);
  }
  for (const char* file : {"schedules/1.json", "schedules/2.json"}) {
    const Ran again = run(fmt::format("{} --replay {}", kernel, folder.file(file)));
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.output, ContainsSubstring(" cycles, as in the file\n"));
  }

  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran wrong = run(arguments + " --replay " + folder.file("schedules/1.json"));
    CHECK(wrong.exit_code == 2);
    CHECK_THAT(wrong.output, ContainsSubstring(message));
  };
  refused(kernel + " --gpu h200", "is a schedule for the GPU 'embedded', not for 'h200'");
  refused(kernel + " --schedule oldest", "--replay and --schedule: give one of them");
  refused(kernel + " --json x.json", "--replay runs one schedule: leave out --json");
  folder.write("narrow.json", R"({"name": "square", "global_size": [64, 64], "local_size": [16, 8],
                "arguments": {"in": {"size": 4096}, "out": {"size": 4096}, "n": 64}})");
  refused(fmt::format("{} --case {}", folder.file("k.cl"), folder.file("narrow.json")),
          "its warps do something else");
  folder.write("other.json", R"({"name": "other", "global_size": [64, 64], "local_size": [32, 4],
                "arguments": {"in": {"size": 4096}, "out": {"size": 4096}, "n": 64}})");
  refused(fmt::format("{} --case {}", folder.file("k.cl"), folder.file("other.json")),
          "is a schedule of the case 'square', and --case has none of that name");
  folder.write("m.cl", "kernel void m(global const float* in, global float* out, uint n) {\n"
                       "  out[get_global_id(0) + get_global_id(1) * n] = in[0];\n}\n");
  refused(fmt::format("{} --case {}", folder.file("m.cl"), folder.file("two.json")),
          "is a schedule of the kernel 'k', not of 'm'");
  folder.write("schedules/1.json", R"({"format": "gputest-schedule-1"})");
  refused(kernel, "schedules/1.json: error: ");
}

TEST_CASE("gputest replay knows what a schedule of warps is of") {
  const Folder folder;
  const auto here = [&](const std::string& command) {
    return run_shell(fmt::format("cd '{}' && {}", folder.path.string(), command));
  };
  // Files are named relative to the folder in which the command ran.
  const Ran made = here(fmt::format("'{}' memory k.cl -k k --case case.json --argument n=64 --gpu "
                                    "embedded --schedules 3 --overhead 100 --replays slow",
                                    GPUTEST_COMMAND));
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.output, ContainsSubstring("\n  replay: gputest replay slow/1.json\n"));
  const std::string replay =
      fmt::format("'{}' replay {}", GPUTEST_MAIN_COMMAND, folder.file("slow/1.json"));
  const Ran again = run_shell(replay);
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring(" cycles, as in the file\n"));

  const Ran device = run_shell(replay + " --device 0");
  CHECK(device.exit_code == 2);
  CHECK_THAT(device.output, ContainsSubstring("runs once, on it: leave out --device"));
  Json json = folder.json("slow/1.json");
  json["directory"] = (folder.path / "nowhere").string();
  folder.write("slow/1.json", json.dump());
  const Ran gone = run_shell(replay);
  CHECK(gone.exit_code == 2);
  CHECK_THAT(gone.output, ContainsSubstring("nowhere, which is not there; give it to gputest "
                                            "memory --replay"));
  json.erase("command");
  folder.write("slow/1.json", json.dump());
  const Ran broken = run_shell(replay);
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.output, ContainsSubstring("1.json: error: "));
}

TEST_CASE("Cases that generation finds are files, and take the same cycles again") {
  const Folder folder;
  const std::string clock =
      fmt::format("'{0}/memory/clock.cl' --case '{0}/memory/clock.json'", GPUTEST_EXAMPLES);
  const Ran ran = run(fmt::format("{} --strategy guided --executions 9 --keep 2 --seed 4 "
                                  "--replays {} --json {} --timeline {}",
                                  clock, folder.file("found"), folder.file("memory.json"),
                                  folder.file("timeline.json")));
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("guided: "));
  CHECK_THAT(ran.output, ContainsSubstring("9 of 9 references that may wait for memory were run"));
  const Json result = folder.json("memory.json");
  CHECK(result["strategy"] == "guided");
  CHECK(result["generation"]["seed"] == 4);
  CHECK(result["generation"]["executions"] >= 9);
  CHECK(result["generation"]["progress"].back()["issues"] > 0);
  REQUIRE(result["cases"].size() == 3);
  for (const Json& one : result["cases"]) {
    CHECK(one["overhead"] <= one["cycles"]);
    CHECK(one["cycles_without_evictions"] <= one["cycles"]);
    const std::string replay = folder.file("found/" + one["replay"].get<std::string>());
    const Ran again = run(clock + " --replay " + replay);
    INFO(again.output);
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.output, ContainsSubstring(" cycles, as in the file"));
  }
  CHECK(fs::exists(folder.path / "found/cases/generated-1.json"));
  // What Perfetto reads: every event of a span has a begin and a length.
  const Json events = folder.json("timeline.json")["traceEvents"];
  std::size_t spans = 0;
  for (const Json& event : events)
    if (event["ph"] == "X") {
      ++spans;
      CHECK(event["dur"] > 0);
    }
  CHECK(spans > 32);
}

TEST_CASE("What is required of generated cases is required of the first one") {
  const Folder folder;
  const std::string clock =
      fmt::format("'{0}/memory/clock.cl' --case '{0}/memory/clock.json'", GPUTEST_EXAMPLES);
  const Ran alone = run(clock + " --require 'global_size(0) == 3'");
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, ContainsSubstring("--require needs --strategy: give it"));
  const Ran broken =
      run(clock + " --strategy random --executions 1 --require 'global_size(0) == 3'");
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.output, ContainsSubstring("does not obey 'global_size(0) == 3' of --require"));
  const Ran held = run(clock + " --strategy random --executions 1 --require 'global_size(0) > 3'");
  INFO(held.output);
  CHECK(held.exit_code == 0);
}

TEST_CASE("Strategies are compared, schedules are described, and cache sets are counted") {
  const Folder folder;
  const std::string product = fmt::format(
      "'{0}/memory/scalar_product.cl' --case '{0}/memory/scalar_product.json'", GPUTEST_EXAMPLES);
  const Ran ran = run(fmt::format("{} --strategy guided --compare --executions 80 --keep 8 "
                                  "--replays {} --json {}",
                                  product, folder.file("found"), folder.file("memory.json")));
  INFO(ran.output);
  REQUIRE(ran.exit_code == 0);
  const Json result = folder.json("memory.json");
  const Json& compared = result["generation"]["compared"];
  REQUIRE(compared.size() == 2);
  CHECK(compared[0]["strategy"] == "symbolic-random");
  CHECK(compared[1]["strategy"] == "random");
  CHECK(compared[1]["progress"].back()["executions"] == 80);

  REQUIRE(result["cases"].size() == 9);
  const Json* found = nullptr;
  for (const Json& one : result["cases"])
    if (!found && one.value("schedule", "") == "phases")
      found = &one;
  REQUIRE(found);
  const Json& worst = *found;
  CHECK(worst["phases"][0]["begin"] == 0);
  CHECK_THAT(ran.output, ContainsSubstring(" phases of others: "));
  const Json& sets = result["cases"][0]["cache_sets"];
  CHECK(sets["rows"].size() == 32);
  CHECK(sets["most"] > 0);
  CHECK(sets["rows"].dump().find_first_not_of("[],\".abcdefghiABCDEFGHI") == std::string::npos);

  const std::string replay = "found/" + worst["replay"].get<std::string>();
  const Ran again = run(fmt::format("{} --replay {}", product, folder.file(replay)));
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring(" cycles, as in the file"));
  Json broken = folder.json(replay);
  broken["phases"] = Json::array();
  folder.write(replay, broken.dump());
  const Ran wrong = run(fmt::format("{} --replay {}", product, folder.file(replay)));
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, ContainsSubstring("key 'phases' has none that begins with choice 0"));
}
