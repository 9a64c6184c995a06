// The command: what it prints, what it writes, and what it refuses.
#include "tests/catch.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::json;

namespace {

struct Ran {
  int exit_code = 0;
  std::string output;
};

Ran run_command(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  Ran ran;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
    ran.output.append(part.data(), size);
  ran.exit_code = WEXITSTATUS(::pclose(pipe));
  return ran;
}

Ran run(const std::string& arguments) {
  return run_command(fmt::format("'{}' memory {}", GPUTEST_COMMAND, arguments));
}

// A folder with a kernel that transposes naively, a case, and what tests add.
class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gputest-memory-XXXXXX").string();
    path = ::mkdtemp(name.data());
    write("k.cl", "kernel void k(global const float* in, global float* out, uint n) {\n"
                  "  const uint x = get_global_id(0), y = get_global_id(1);\n"
                  "  out[x * n + y] = in[y * n + x];\n}\n");
    write("case.json",
          R"({"name": "square", "global_size": [64, 64], "local_size": [32, 4],
              "arguments": {"in": {"size": 4096, "fill": "iota"}, "out": {"size": 4096}, "n": 64}})");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
  std::string file(const std::string& name) const {
    return fmt::format("'{}'", (path / name).string());
  }
  std::string kernel_and_case() const {
    return fmt::format("{} --case {} --source-root '{}'", file("k.cl"), file("case.json"),
                       path.string());
  }
  Json json(const std::string& name) const { return Json::parse(std::ifstream(path / name)); }

  fs::path path;
};

} // namespace

TEST_CASE("Warnings name the place, why, and what would help") {
  const Folder folder;
  const Ran ran = run(folder.kernel_and_case());
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("k.cl:3:18: warning: memory: writes of 'out' are not "
                                           "coalesced: 3,840 of 4,096 transactions are extra\n"
                                           "  because: neighbouring work-items are 256 bytes apart "
                                           "(32 transactions a warp; 2 would do)\n"
                                           "  what if: "));
  CHECK_THAT(ran.output, ContainsSubstring("k, case 'square' on embedded, round-robin: "));
}

TEST_CASE("memory.json has what was printed, and the same run writes the same") {
  const Folder folder;
  for (const char* name : {"one.json", "two.json"})
    CHECK(run(fmt::format("{} --schedule random --seed 3 --json {}", folder.kernel_and_case(),
                          folder.file(name)))
              .exit_code == 0);
  const Json json = folder.json("one.json");
  CHECK(json == folder.json("two.json"));
  CHECK(json["format"] == "gputest-memory-1");
  CHECK(json["missed"].empty());
  CHECK(json["gpu"] == "embedded");
  CHECK(json["schedule"] == "random");
  CHECK(json["seed"] == 3);
  CHECK(json["kernel"] == "k");
  CHECK(json["source"] == "k.cl");
  REQUIRE(json["cases"].size() == 1);
  const Json& square = json["cases"][0];
  CHECK(json["cycles"] == square["cycles"]);
  CHECK(square["name"] == "square");
  REQUIRE(square["references"].size() == 2);
  const Json& write = square["references"][1];
  CHECK(write["line"] == 3);
  CHECK(write["variable"] == "out");
  CHECK(write["access"] == "write");
  CHECK(write["transactions"] == 4096);
  CHECK(write["fewest"] == 256);
  CHECK(write["stride"] == 256);
  CHECK(write["alone"] == "always misses");
  CHECK(write["faces_conflict"] == false);
  CHECK(write["address_known"] == true);
  CHECK(json["coverage"] == Json{{"explored", 2}, {"total", 2}});
  CHECK_FALSE(square["interferences"].empty());
  CHECK_FALSE(square["what_if"].empty());
}

TEST_CASE("What is not known before the kernel runs is said, and what no case runs") {
  const Folder folder;
  folder.write("gather.cl", "kernel void k(global const int* in, global int* out, int n) {\n"
                            "  const int i = get_global_id(0);\n  int sum = in[i];\n"
                            "  sum += in[in[i]];\n  if (n > 1)\n    out[i + 64] = 1;\n"
                            "  out[i] = sum;\n}\n");
  folder.write("gather.json", R"({"name": "g", "global_size": [64], "local_size": [32],
      "arguments": {"in": {"size": 64, "fill": "iota"}, "out": {"size": 128}, "n": 1}})");
  const Ran ran = run(fmt::format("{} --case {} --source-root '{}'", folder.file("gather.cl"),
                                  folder.file("gather.json"), folder.path.string()));
  CHECK_THAT(ran.output,
             ContainsSubstring("gather.cl:4:10: note: memory: it shows only when the "
                               "kernel runs which of many places reads of 'in' access"));
  CHECK_THAT(ran.output, !ContainsSubstring("gather.cl:3:13: note"));
  CHECK_THAT(ran.output,
             ContainsSubstring("\n3 of 4 references that may wait for memory were run"));
  CHECK_THAT(ran.output, ContainsSubstring("not classified\n"));
}

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
    return run_command(fmt::format("cd '{}' && {}", folder.path.string(), command));
  };
  // Files are named relative to the folder in which the command ran.
  const Ran made = here(fmt::format("'{}' memory k.cl -k k --case case.json --argument n=64 --gpu "
                                    "embedded --schedules 3 --overhead 100 --replays slow",
                                    GPUTEST_COMMAND));
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.output, ContainsSubstring("\n  replay: gputest replay slow/1.json\n"));
  const std::string replay =
      fmt::format("'{}' replay {}", GPUTEST_MAIN_COMMAND, folder.file("slow/1.json"));
  const Ran again = run_command(replay);
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring(" cycles, as in the file\n"));

  const Ran device = run_command(replay + " --device 0");
  CHECK(device.exit_code == 2);
  CHECK_THAT(device.output, ContainsSubstring("runs once, on it: leave out --device"));
  Json json = folder.json("slow/1.json");
  json["directory"] = (folder.path / "nowhere").string();
  folder.write("slow/1.json", json.dump());
  const Ran gone = run_command(replay);
  CHECK(gone.exit_code == 2);
  CHECK_THAT(gone.output, ContainsSubstring("nowhere, which is not there; give it to gputest "
                                            "memory --replay"));
  json.erase("command");
  folder.write("slow/1.json", json.dump());
  const Ran broken = run_command(replay);
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.output, ContainsSubstring("1.json: error: "));
}

TEST_CASE("More warnings than may be") {
  const Folder folder;
  const Ran many =
      run(folder.kernel_and_case() + " --issues 0 --overhead 1 --json " + folder.file("m.json"));
  CHECK(many.exit_code == 1);
  CHECK_THAT(many.output, ContainsSubstring(" warnings, more than 0\n"));
  const Json missed = folder.json("m.json")["missed"];
  REQUIRE(missed.size() == 2);
  CHECK_THAT(missed[0].get<std::string>(), ContainsSubstring(" % of its cycles, more than 1 %"));
  CHECK_THAT(missed[1].get<std::string>(), ContainsSubstring(" warnings, more than 0"));
  CHECK(run(folder.kernel_and_case() + " --issues 50").exit_code == 0);
}

TEST_CASE("Another GPU, a file of one's own, and another schedule") {
  const Folder folder;
  CHECK_THAT(run(folder.kernel_and_case() + " --gpu h200").output,
             ContainsSubstring("(32 transactions a warp; 4 would do)"));
  folder.write(
      "mine.json",
      R"({"format": "gputest-gpu-1", "name": "mine", "cores": 1, "warp_size": 16, "width": 16,
                   "warps_per_core": 64, "groups_per_core": 4,
                   "caches": [{"name": "L1", "size": 65536, "line": 64, "ways": 4, "hit_cycles": 1, "write": "back"}],
                   "dram": {"banks": 1, "bank_bytes": 1024, "cycles": 10}})");
  const Ran mine = run(folder.kernel_and_case() + " --gpu " + folder.file("mine.json"));
  CHECK(mine.exit_code == 0);
  CHECK_THAT(mine.output, ContainsSubstring("(16 transactions a warp; 1 would do)"));
  CHECK_THAT(run(folder.kernel_and_case() + " --schedule oldest").output,
             ContainsSubstring("on embedded, oldest: "));
}

TEST_CASE("Cases get sizes and arguments from the command line") {
  const Folder folder;
  folder.write("short.json",
               R"({"name": "short", "arguments": {"in": {"size": 1024}, "out": {"size": 1024}}})");
  const Ran ran =
      run(fmt::format("{} --case {} --global-size 32,32 --local-size 32,1 --argument n=32",
                      folder.file("k.cl"), folder.file("short.json")));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("neighbouring work-items are 128 bytes apart"));
}

TEST_CASE("A threshold is missed or held") {
  const Folder folder;
  const Ran missed = run(folder.kernel_and_case() + " --overhead 1");
  CHECK(missed.exit_code == 1);
  CHECK_THAT(missed.output, ContainsSubstring("case 'square' loses "));
  CHECK(run(folder.kernel_and_case() + " --overhead 100").exit_code == 0);
}

TEST_CASE("Wrong input is refused with what to do") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran ran = run(arguments);
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(message));
  };
  refused("", "no source file; give the .cl or .cu file to read");
  refused(folder.file("k.cl"), "--case is missing: give a file of test cases");
  refused(folder.kernel_and_case() + " --gpu h201", "there is no GPU 'h201'");
  refused(folder.kernel_and_case() + " --schedule newest", "none of round-robin, oldest, random");
  refused(folder.kernel_and_case() + " --kernel m", "there is no kernel 'm'; there are: k");
  refused(folder.kernel_and_case() + " --argument m=1", "'m'");
  refused(folder.kernel_and_case() + " --local-size 0", "is not 1 to 3 sizes");
  refused(folder.file("k.cl") + " --case nowhere.json", "nowhere.json");
  refused(folder.kernel_and_case() + " --overhead 101",
          "--overhead is 101; it must be from 0 to 100 percent");
  refused(folder.kernel_and_case() + " --strategy clever", "--strategy 'clever' is none of guided");
  refused(folder.kernel_and_case() + " --budget 3", "--budget is about --strategy: give it");
  refused(folder.kernel_and_case() + " --compare", "--compare is about --strategy: give it");
  refused(folder.kernel_and_case() + " --strategy random --budget 0",
          "--budget is 0; it must be more than 0 seconds");
  refused(folder.kernel_and_case() + " --strategy random --executions 0",
          "--executions is 0; it must be 1 at least");
  refused(folder.kernel_and_case() + " --strategy random --keep 0",
          "--keep is 0; it must be 1 at least");
  refused(folder.kernel_and_case() + " --schedules 0", "--schedules is 0; it must be 1 at least");
  refused(folder.kernel_and_case() + " --schedules 3 --schedule oldest",
          "--schedules and --schedule: give one of them");
  refused(folder.kernel_and_case() + " --colour", "see gputest memory --help");
  folder.write(
      "bad.json",
      R"({"format": "gputest-gpu-1", "name": "bad", "cores": 1, "warp_size": 32, "width": 8,
                   "warps_per_core": 8, "groups_per_core": 4,
                   "caches": [{"name": "L1", "size": 4096, "line": 48, "ways": 2, "hit_cycles": 1, "write": "back"}],
                   "dram": {"banks": 1, "bank_bytes": 1024, "cycles": 10}})");
  refused(folder.kernel_and_case() + " --gpu " + folder.file("bad.json"),
          "bad.json: error: cache 1: 'line' is 48; it must be a power of two");
  folder.write("large.json", R"({"name": "large", "global_size": [2048, 1], "local_size": [2048, 1],
              "arguments": {"in": {"size": 2048}, "out": {"size": 2048}, "n": 1}})");
  refused(fmt::format("{} --case {}", folder.file("k.cl"), folder.file("large.json")),
          "has 64 warps, and a core of 'embedded' holds 32");
  folder.write(
      "two.cl",
      "kernel void a(global int* p) { p[0] = 1; }\nkernel void b(global int* p) { p[0] = 1; }\n");
  refused(fmt::format("{} --case {}", folder.file("two.cl"), folder.file("case.json")),
          "say which kernel with --kernel; there are: a, b");
  folder.write("image.cl", "kernel void k(read_only image2d_t in, global float* out, uint n) {\n"
                           "  out[0] = get_image_width(in) + n;\n}\n");
  folder.write(
      "image.json",
      R"({"name": "i", "global_size": [1], "arguments": {"in": {"shape": [4, 4], "channel_type": "float"}, "out": {"size": 1}, "n": 1}})");
  refused(fmt::format("{} --case {}", folder.file("image.cl"), folder.file("image.json")),
          "argument 'in' is an image or a sampler; images are not modelled");
  folder.write("outside.json", R"({"name": "o", "global_size": [64, 64], "local_size": [32, 4],
              "arguments": {"in": {"size": 4096}, "out": {"size": 4096}, "n": 1000000}})");
  refused(fmt::format("{} --case {} --source-root '{}'", folder.file("k.cl"),
                      folder.file("outside.json"), folder.path.string()),
          "k.cl:3:");
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

TEST_CASE("Strategies are compared, schedules are described, and cache sets are counted") {
  const Folder folder;
  const std::string product = fmt::format(
      "'{0}/memory/scalar_product.cl' --case '{0}/memory/scalar_product.json'", GPUTEST_EXAMPLES);
  const Ran ran = run(fmt::format("{} --strategy guided --compare --executions 80 --keep 1 "
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

  REQUIRE(result["cases"].size() == 2);
  const Json& worst = result["cases"][1];
  REQUIRE(worst["schedule"] == "phases");
  CHECK(worst["phases"][0]["begin"] == 0);
  CHECK_THAT(ran.output, ContainsSubstring(" phases of others: "));
  const Json& sets = worst["cache_sets"];
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

TEST_CASE("The project's own examples run") {
  const auto example = [](const char* name, const char* file, const char* cases,
                          const char* options) {
    const Ran ran = run(fmt::format("'{0}/{1}/{2}' --case '{0}/{1}/cases/{3}' {4}",
                                    GPUTEST_EXAMPLES, name, file, cases, options));
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    return ran.output;
  };
  CHECK_THAT(example("transpose", "transpose.cl", "sizes.json",
                     "--global-size 16,4,1 --local-size 16,4,1 --gpu h200"),
             ContainsSubstring("transpose, case 'three layers, ragged' on h200"));
  example("reduction", "reduction.cl", "sizes.json", "--global-size 128 --local-size 64");
  example("matrix_multiply", "matrix_multiply.cl", "tiles.json",
          "-D TILE=8 --global-size 8,8 --local-size 8,8 --gpu h200");
  example("histogram", "histogram.cl", "counts.json",
          "--global-size 64 --local-size 32 --gpu h200");
  const auto memory_example = [](const char* file, const char* cases, const char* options) {
    const Ran ran = run(fmt::format("'{0}/memory/{1}' --case '{0}/memory/{2}' {3}",
                                    GPUTEST_EXAMPLES, file, cases, options));
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    return ran.output;
  };
  CHECK_THAT(memory_example("transpose.cl", "transpose.json", "-k transpose"),
             ContainsSubstring("neighbouring work-items are 1,024 bytes apart"));
  const std::string tiled =
      memory_example("transpose.cl", "transpose.json", "-k transpose_tiled --gpu h200");
  CHECK_THAT(tiled, ContainsSubstring("(32 passes a warp; 1 would do)"));
  CHECK_THAT(tiled, !ContainsSubstring("note: memory")); // all places are known
  CHECK_THAT(memory_example("scan.cl", "scan_naive.json", "-k scan_naive --gpu h200"),
             !ContainsSubstring("conflict in the banks"));
  CHECK_THAT(memory_example("scan.cl", "scan_efficient.json", "-k scan_efficient --gpu h200"),
             ContainsSubstring("conflict in the banks"));
  CHECK_THAT(memory_example("walsh.cl", "walsh.json", ""),
             ContainsSubstring("warps evict each other's lines of 'data'"));
}
