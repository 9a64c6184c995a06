// The command: what it prints, what it writes, and what it refuses.
#include "tests/memory/command.h"

#include <sstream>

using namespace gputest::memory::tests;

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

TEST_CASE("docs/memory.md shows what the command prints") {
  const Ran ran = run(fmt::format(
      "'{0}/memory/transpose.cl' -k transpose --case '{0}/memory/transpose.json' --source-root "
      "'{0}/memory'",
      GPUTEST_EXAMPLES));
  CHECK(ran.exit_code == 0);
  std::stringstream docs;
  docs << std::ifstream(GPUTEST_EXAMPLES "/../docs/memory.md").rdbuf();
  CHECK_THAT(docs.str(), ContainsSubstring("\n```\n" + ran.output + "```\n"));
}

TEST_CASE("Images have their names in warnings, and their memory in memory.json") {
  const Folder folder;
  folder.write("k.cl", "kernel void k(read_only image2d_t in, sampler_t s, global float* out) {\n"
                       "  const int i = get_global_id(0);\n"
                       "  out[i] = read_imagef(in, s, (float2)(0.5f, i + 0.5f)).x;\n}\n");
  folder.write("case.json",
               R"({"name": "column", "global_size": [64], "local_size": [32], "arguments": {
                     "in": {"shape": [64, 64], "channel_order": "R", "fill": "iota"},
                     "s": {"filter_mode": "nearest"}, "out": {"size": 64}}})");
  const std::string words =
      folder.kernel_and_case() + " --gpu h200 --json " + folder.file("m.json");
  const Ran ran = run(words);
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output,
             ContainsSubstring(
                 "k.cl:3:12: warning: memory: reads of image 'in' are not coalesced: "
                 "24 of 32 transactions are extra\n"
                 "  because: neighbouring work-items are 1 row of the image apart (16 "
                 "transactions a warp; 4 would do); 32 bytes of the image hold 4 x 2 texels\n"));
  const Json json = folder.json("m.json");
  const Json& read = json["cases"][0]["references"][0];
  CHECK(read["memory"] == "image");
  CHECK(read["variable"] == "in");
  CHECK(read["transactions"] == 32);
  CHECK(run(folder.kernel_and_case() + " --gpu mi300x")
            .output.find("error: 'in' of 'k' is an image, and 'mi300x' has none\n") !=
        std::string::npos);
}

TEST_CASE("Generated cases have the images and samplers of the first one") {
  const Folder folder;
  folder.write("k.cl", "kernel void k(read_only image2d_t in, sampler_t s, global const int* at,\n"
                       "              global float* out) {\n"
                       "  const int i = get_global_id(0);\n"
                       "  if (at[i] == 77)\n    out[8 * i] = 1;\n"
                       "  out[i] += read_imagef(in, s, (float2)(at[i] % 8, i)).x;\n}\n");
  const auto write = [&](const char* sampler) {
    folder.write("case.json", fmt::format(R"({{"name": "c", "global_size": [32], "local_size": [32],
                     "arguments": {{"in": {{"shape": [8, 32], "channel_order": "R",
                     "channel_type": "unorm_int8"}}, "s": {},
                     "at": {{"size": 32}}, "out": {{"size": 256}}}}}})",
                                          sampler));
  };
  write(R"({"filter_mode": "linear"})");
  const std::string words = folder.kernel_and_case() +
                            " --strategy guided --executions 40 "
                            "--replays " +
                            folder.file("slow");
  const Ran ran = run(words);
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(ran.output.find("no paths were looked for") == std::string::npos);
  const Json generated = folder.json("slow/cases/generated-1.json");
  const Json& arguments = generated["arguments"];
  CHECK(arguments["in"]["shape"] == Json({8, 32}));
  CHECK(arguments["in"]["channel_order"] == "R");
  CHECK(arguments["in"]["channel_type"] == "unorm_int8");
  CHECK(arguments["s"]["filter_mode"] == "linear");
  CHECK(run(fmt::format("{} --case {}", folder.file("k.cl"),
                        folder.file("slow/cases/generated-1.json")))
            .exit_code == 0);
  // Those that shards have found, too.
  const std::string shard = folder.kernel_and_case() + " --strategy random --executions 4";
  std::string take;
  for (const char* const part : {"1", "2"}) {
    fs::create_directories(folder.file(part));
    const Ran one =
        run(fmt::format("{} --shard {}/2 --content c --replays {}/memory --json {}", shard, part,
                        folder.file(part), folder.file(part + std::string("/memory.json"))));
    INFO(one.output);
    CHECK(one.exit_code == 0);
    take += " --take " + folder.file(part + std::string("/memory.json"));
  }
  const Ran whole = run(shard + take + " --replays " + folder.file("whole"));
  INFO(whole.output);
  CHECK(whole.exit_code == 0);
  CHECK(folder.json("whole/cases/generated-1.json")["arguments"]["in"]["channel_type"] ==
        "unorm_int8");
  write(R"({"addressing_mode": "clamp", "filter_mode": "linear"})");
  CHECK_THAT(run(words).output,
             ContainsSubstring("error: --strategy: the sampler 's' of the first case is none that "
                               "generated cases have; give another one, or leave out "
                               "--strategy\n"));
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

TEST_CASE("More warnings than a limit allows end the command with exit code 1") {
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

TEST_CASE("The command takes other GPUs, also from a user's file, and other schedules") {
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

  // Without its offset, this launch writes before the buffer.
  folder.write("below.cl", "kernel void k(global int* out) { out[get_global_id(0) - 8] = 1; }\n");
  folder.write("below.json", R"({"name": "below", "arguments": {"out": {"size": 4}}})");
  const std::string below = fmt::format("{} --case {} --global-size 4", folder.file("below.cl"),
                                        folder.file("below.json"));
  CHECK(run(below + " --global-offset 8").exit_code == 0);
  const Ran outside = run(below);
  CHECK(outside.exit_code == 2);
  CHECK_THAT(outside.output, ContainsSubstring("below.cl:1:60: error: a work-item of group (0, 0, "
                                               "0) writes 32 bytes before 'out'"));
  // No page ends there.
  folder.write("past.cl", "kernel void k(global const int* in, global int* out) {\n"
                          "  out[get_global_id(0)] = in[get_global_id(0) + 1]; }\n");
  folder.write("past.json",
               R"({"name": "past", "arguments": {"in": {"size": 4}, "out": {"size": 4}}})");
  const Ran past = run(fmt::format("{} --case {} --global-size 4 --local-size 2",
                                   folder.file("past.cl"), folder.file("past.json")));
  CHECK(past.exit_code == 2);
  CHECK_THAT(past.output, ContainsSubstring("past.cl:2:27: error: a work-item of group (1, 0, 0) "
                                            "reads byte 16 of 'in', which has 16"));
  CHECK_THAT(run(below + " --global-offset 8,8").output,
             ContainsSubstring("global offset has 2 dimensions, global size 1"));
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
  refused("", "no source file; give the .cl, .clcpp, .spv, .cu or .hip file to read");
  refused(folder.file("k.cl"), "--case is missing: give a file of test cases");
  refused(folder.kernel_and_case() + " --gpu h201", "there is no GPU 'h201'");
  refused(folder.kernel_and_case() + " --schedule newest", "none of round-robin, oldest, random");
  refused(folder.kernel_and_case() + " --kernel m", "there is no kernel 'm'; there are: k");
  refused(folder.kernel_and_case() + " --argument m=1", "'m'");
  refused(folder.kernel_and_case() + " --local-size 0", "is not 1 to 3 sizes");
  refused(folder.file("k.cl") + " --case nowhere.json", "nowhere.json");
  refused(folder.kernel_and_case() + " --overhead 101",
          "--overhead: '101' is not a number from 0 to 100");
  refused(folder.kernel_and_case() + " --strategy clever", "--strategy 'clever' is none of guided");
  refused(folder.kernel_and_case() + " --strategy random --worst-by luck",
          "--worst-by 'luck' is none of cycles, share");
  refused(folder.kernel_and_case() + " --worst-by share", "--worst-by needs --strategy: give it");
  refused(folder.kernel_and_case() + " --budget 3", "--budget needs --strategy: give it");
  refused(folder.kernel_and_case() + " --compare", "--compare needs --strategy: give it");
  refused(folder.kernel_and_case() + " --strategy random --budget 0",
          "--budget: '0' is not a number of seconds above 0");
  refused(folder.kernel_and_case() + " --strategy random --executions 0",
          "--executions: '0' is not a whole number from 1 to 1000000000");
  refused(folder.kernel_and_case() + " --strategy random --keep 0",
          "--keep: '0' is not a whole number from 1 to 1000000000");
  refused(folder.kernel_and_case() + " --schedules 0",
          "--schedules: '0' is not a whole number from 1 to 1000000000");
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
  folder.write("outside.json", R"({"name": "o", "global_size": [64, 64], "local_size": [32, 4],
              "arguments": {"in": {"size": 4096}, "out": {"size": 4096}, "n": 1000000}})");
  refused(fmt::format("{} --case {} --source-root '{}'", folder.file("k.cl"),
                      folder.file("outside.json"), folder.path.string()),
          "k.cl:3:");
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

TEST_CASE("Cycles are a limit, also those of the kernel of a commit") {
  const Folder folder;
  const auto git = [&](const std::string& words) {
    const Ran ran = run_shell(fmt::format("git -c user.name=a -c user.email=a@b -C '{}' {}",
                                          folder.path.string(), words));
    REQUIRE(ran.exit_code == 0);
  };
  git("init -q -b main");
  git("add k.cl");
  git("commit -q -m slow");
  const auto limited = [&](const std::string& limits) {
    return run(folder.kernel_and_case() + " " + limits);
  };
  const Ran equal = limited("--json " + folder.file("all.json") + " --not-slower-than main");
  CHECK(equal.exit_code == 0);
  const int cycles = folder.json("all.json")["cycles"];
  CHECK(limited(fmt::format("--cycles {}", cycles)).exit_code == 0);
  const Ran more = limited(fmt::format("--cycles {}", cycles - 1));
  CHECK(more.exit_code == 1);
  CHECK_THAT(more.output, ContainsSubstring(" cycles, more than "));

  folder.write("k.cl", "kernel void k(global const float* in, global float* out, uint n) {\n"
                       "  const uint x = get_global_id(0), y = get_global_id(1);\n"
                       "  out[y * n + x] = in[y * n + x];\n}\n");
  git("commit -q -am fast");
  CHECK(limited("--not-slower-than main~1 --schedules 3").exit_code == 0);
  git("checkout -q main~1");
  const Ran slower = limited("--not-slower-than main --slower-by 5");
  CHECK(slower.exit_code == 1);
  CHECK_THAT(slower.output, ContainsSubstring(" with the kernel of main; 5 % more are allowed"));

  for (const auto& [limits, message] :
       {std::pair{"--cycles 0", "--cycles"},
        {"--cycles few", "--cycles"},
        {"--slower-by 5", "--slower-by needs --not-slower-than"},
        {"--not-slower-than nobody", "Git has no such commit, branch or tag"},
        {"--not-slower-than main --slower-by 101", "--slower-by"},
        {"--cycles 9 --shard 1/2", "leave out one of them"}}) {
    const Ran refused = limited(limits);
    CAPTURE(limits, refused.output);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.output, ContainsSubstring(message));
  }
  folder.write("new.cl", "kernel void k(global const float* in, global float* out, uint n) {}\n");
  const Ran unknown = run(fmt::format("{} --case {} --not-slower-than main", folder.file("new.cl"),
                                      folder.file("case.json")));
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, ContainsSubstring("it does not have "));
}
