// Patches that gputest memory prints: they can be applied, and the patched kernel is as was said.
#include "tests/memory/command.h"

using namespace gputest::memory::tests;

namespace {

const char* const kTiled = "#define TILE 32\n"
                           "kernel void k(global const float* in, global float* out, uint n) {\n"
                           "  local float tile[TILE][TILE];\n"
                           "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                           "  tile[y][x] = in[y * n + x];\n"
                           "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "  out[y * n + x] = tile[x][y];\n}\n";

// kTiled without its macro.
std::string with_size(const std::string& size) {
  std::string text = kTiled;
  text.erase(0, text.find('\n') + 1);
  for (std::size_t at = text.find("TILE"); at != std::string::npos; at = text.find("TILE"))
    text.replace(at, 4, size);
  return text;
}

// A case of `arguments` for a kernel.
std::string case_of(const std::string& sizes, const std::string& arguments) {
  return fmt::format(R"({{"name": "c", {}, "arguments": {{{}}}}})", sizes, arguments);
}

const std::string kSquare = R"("global_size": [32, 32], "local_size": [32, 32])";
const std::string kBuffers =
    R"("in": {"size": 1024, "fill": "iota"}, "out": {"size": 1024}, "n": 32)";

Json patched(const Folder& folder, const std::string& kernel, const std::string& options,
             const std::string& file = "k.cl") {
  folder.write(file, kernel);
  const std::string words = fmt::format("{} --case {} --source-root '{}' {}", folder.file(file),
                                        folder.file("case.json"), folder.path.string(), options);
  const Ran ran = run(words + " --json " + folder.file("m.json"));
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  const Json json = folder.json("m.json");
  const Json patches = json.value("patches", Json::array());
  for (const Json& patch : patches) {
    CHECK_THAT(ran.output,
               ContainsSubstring("\npatch: " + patch["text"].get<std::string>() + ": -"));
    CHECK_THAT(ran.output, ContainsSubstring("\n" + patch["diff"].get<std::string>()));
    CHECK(patch["swaps_launch"] ==
          (ran.output.find("launches must swap their first two global sizes, local sizes and "
                           "offsets\n") != std::string::npos));
    CHECK(patch["cycles_before"] == json["cycles"]);
    CHECK(patch["cycles"] < patch["cycles_before"]);
  }
  if (patches.empty())
    return {};
  // The first one, applied, takes the cycles that it says.
  const Json& first = patches[0];
  folder.write("p.diff", first["diff"]);
  CHECK(
      gputest::tests::run_shell(fmt::format("cd '{}' && patch -p1 < p.diff", folder.path.string()))
          .exit_code == 0);
  if (!first["swaps_launch"].get<bool>()) {
    CHECK(run(words + " --json " + folder.file("m.json")).exit_code == 0);
    CHECK(folder.json("m.json")["cycles"] == first["cycles"]);
  }
  return first;
}

} // namespace

TEST_CASE("An array whose columns conflict gets a patch that pads its rows") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  const Json patch = patched(folder, kTiled, "--gpu h200");
  REQUIRE(patch.is_object());
  CHECK(patch["text"] == "rows of 'tile' padded by one element");
  CHECK(patch["cases"] == 1);
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("local float tile[TILE][TILE + 1];"));
}

TEST_CASE("Where no byte more fits, the columns are swizzled") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  folder.write(
      "small.json",
      R"({"format": "gputest-gpu-1", "name": "small", "cores": 1, "warp_size": 32, "width": 32,
          "warps_per_core": 64, "groups_per_core": 4,
          "caches": [{"name": "L1", "size": 65536, "line": 64, "ways": 4, "hit_cycles": 1,
                      "write": "back"}],
          "local_memory": {"size": 4096, "banks": 32, "bank_bytes": 4, "cycles": 5},
          "dram": {"banks": 1, "bank_bytes": 1024, "cycles": 10}})");
  // A macro may have another value in another build, with which columns may not be a power of two.
  CHECK(patched(folder, kTiled, "--gpu " + folder.file("small.json"))["text"] ==
        "the subscripts of 'tile' swapped");
  const Json patch = patched(folder, with_size("32"), "--gpu " + folder.file("small.json"));
  REQUIRE(patch.is_object());
  CHECK(patch["text"] == "the columns of 'tile' swizzled by their row");
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("= tile[x][(y) ^ (x) % (32)];"));
}

TEST_CASE("An array that is only read and written by columns gets its subscripts swapped") {
  const Folder folder;
  folder.write("case.json",
               case_of(R"("global_size": [32, 16], "local_size": [32, 16])",
                       R"("in": {"size": 512, "fill": "iota"}, "out": {"size": 512}, "n": 32)"));
  folder.write(
      "small.json",
      R"({"format": "gputest-gpu-1", "name": "small", "cores": 1, "warp_size": 32, "width": 32,
          "warps_per_core": 64, "groups_per_core": 4,
          "caches": [{"name": "L1", "size": 65536, "line": 64, "ways": 4, "hit_cycles": 1,
                      "write": "back"}],
          "local_memory": {"size": 2048, "banks": 32, "bank_bytes": 4, "cycles": 5},
          "dram": {"banks": 1, "bank_bytes": 1024, "cycles": 10}})");
  const Json patch = patched(folder,
                             "kernel void k(global const float* in, global float* out, uint n) {\n"
                             "  local float tile[32][16];\n"
                             "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                             "  tile[x][y] = in[y * n + x];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  out[y * n + x] = tile[x][15 - y];\n}\n",
                             "--gpu " + folder.file("small.json"));
  REQUIRE(patch.is_object());
  CHECK(patch["text"] == "the subscripts of 'tile' swapped");
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("local float tile[16][32];"));
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("= tile[15 - y][x];"));
}

TEST_CASE("An array of one dimension gets an element left out after each row of banks") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  const Json patch = patched(folder,
                             "kernel void k(global const float* in, global float* out, uint n) {\n"
                             "  local float tile[1024];\n"
                             "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                             "  tile[y * 32 + x] = in[y * n + x];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  out[y * n + x] = tile[x << 5 | y];\n}\n",
                             "--gpu h200");
  REQUIRE(patch.is_object());
  CHECK(patch["text"] == "an element left out after each 32 of 'tile'");
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("local float tile[1024 + 31];"));
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("= tile[(x << 5 | y) + (x << 5 | y) / 32];"));
}

TEST_CASE("What is written again has macros by name") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  const Json patch = patched(folder,
                             "#ifndef N\n#define N 1000\n#endif\n"
                             "#define COLUMN(y) ((y) * 32)\n"
                             "kernel void k(global const float* in, global float* out, uint n) {\n"
                             "  local float tile[N + 24];\n"
                             "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                             "  tile[COLUMN(y) + x] = in[y * n + x];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  out[y * n + x] = tile[COLUMN(x) + y];\n}\n",
                             "--gpu h200");
  REQUIRE(patch.is_object());
  const std::string text = folder.read("k.cl");
  CHECK_THAT(text, ContainsSubstring("local float tile[N + 24 + ((N + 24) - 1) / 32];"));
  CHECK_THAT(text, ContainsSubstring("= tile[COLUMN(x) + y + (COLUMN(x) + y) / 32];"));
}

TEST_CASE("Two arrays are padded together if that is better") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  const Json patch = patched(folder,
                             "kernel void k(global const float* in, global float* out, uint n) {\n"
                             "  local float a[32][32], b[32][32];\n"
                             "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                             "  a[y][x] = in[y * n + x];\n"
                             "  b[y][x] = 2 * in[y * n + x];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  out[y * n + x] = a[x][y] + b[x][y];\n}\n",
                             "--gpu h200");
  REQUIRE(patch.is_object());
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("local float a[32][32 + 1], b[32][32 + 1];"));
}

TEST_CASE("Swapped dimensions are a patch, and say when launches have to be swapped, too") {
  const Folder folder;
  const char* const columns = "kernel void k(global const float* in, global float* out, uint n) {\n"
                              "  const uint row = get_global_id(0), column = get_global_id(1);\n"
                              "  out[row * n + column] = 2 * in[row * n + column];\n}\n";
  folder.write("case.json", case_of(kSquare, kBuffers));
  const Json square = patched(folder, columns, "");
  REQUIRE(square.is_object());
  CHECK(square["text"] == "the first two dimensions swapped");
  // Another launch of this kernel need not be square.
  CHECK(square["swaps_launch"] == true);
  CHECK_THAT(folder.read("k.cl"), ContainsSubstring("row = get_global_id(1), column = "
                                                    "get_global_id(0);"));
  folder.write("case.json",
               case_of(R"("global_size": [16, 64], "local_size": [16, 8])",
                       R"("in": {"size": 1024, "fill": "iota"}, "out": {"size": 1024}, "n": 64)"));
  const Json other = patched(folder, columns, "--gpu h200");
  REQUIRE(other.is_object());
  CHECK(other["swaps_launch"] == true);
  // The swapped launch takes the cycles that were told.
  folder.write("case.json",
               case_of(R"("global_size": [64, 16], "local_size": [8, 16])",
                       R"("in": {"size": 1024, "fill": "iota"}, "out": {"size": 1024}, "n": 64)"));
  CHECK(run(folder.kernel_and_case() + " --gpu h200 --json " + folder.file("m.json")).exit_code ==
        0);
  CHECK(folder.json("m.json")["cycles"] == other["cycles"]);
}

TEST_CASE("What changes results, does not help or is not understood is no patch") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  const auto none = [&](const std::string& kernel, const std::string& options) {
    CHECK(patched(folder, kernel, options).is_null());
  };
  // A pointer walks over the whole array: with padding it would read what nobody wrote. All
  // elements are equal, so that no run notices.
  folder.write(
      "case.json",
      case_of(kSquare, R"("in": {"size": 1024, "fill": 1}, "out": {"size": 1024}, "n": 32)"));
  for (const char* const use : {"(&tile[0][0])[y * 32 + x]", "(*tile)[y * 32 + x]"}) {
    INFO(use);
    none(fmt::format("kernel void k(global const float* in, global float* out, uint n) {{\n"
                     "  local float tile[32][32];\n"
                     "  const uint x = get_local_id(0), y = get_local_id(1);\n"
                     "  {} = in[y * n + x];\n"
                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "  out[y * n + x] = tile[x][y];\n}}\n",
                     use),
         "--gpu h200");
  }
  // Another build has one more use.
  std::string other = with_size("32");
  other.insert(other.find("  out["), "#ifdef MORE\n  tile[y][x] += 1;\n#endif\n");
  none(other, "--gpu h200");
  // The order of work-items matters.
  for (const char* const order : {"get_sub_group_local_id()", "sub_group_reduce_add(1u)"}) {
    INFO(order);
    none(fmt::format("kernel void k(global const float* in, global float* out, uint n) {{\n"
                     "  const uint row = get_global_id(0), column = get_global_id(1);\n"
                     "  out[row * n + column] = in[row * n + column] + 0 * {};\n}}\n",
                     order),
         "--cl-std CL2.0");
  }
  // Another function asks for ids.
  none("uint row() { return get_global_id(0); }\n"
       "kernel void k(global const float* in, global float* out, uint n) {\n"
       "  const uint column = get_global_id(1);\n"
       "  out[row() * n + column] = in[row() * n + column];\n}\n",
       "");
  // Another build asks once more.
  none("kernel void k(global const float* in, global float* out, uint n) {\n"
       "  const uint row = get_global_id(0), column = get_global_id(1);\n"
       "#ifdef MORE\n"
       "  if (get_global_id(0) > 3) return;\n"
       "#endif\n"
       "  out[row * n + column] = 2 * in[row * n + column];\n}\n",
       "");
  // Swapped, the reads of a transpose are what its writes were, and warps wait longer for reads.
  folder.write("case.json", case_of(R"("global_size": [32, 32], "local_size": [8, 8])", kBuffers));
  none("kernel void k(global const float* in, global float* out, uint n) {\n"
       "  const uint x = get_global_id(0), y = get_global_id(1);\n"
       "  out[x * n + y] = in[y * n + x];\n}\n",
       "--gpu mali-g52");
}

TEST_CASE("Of two instances of a template, no change fits only one") {
  const Folder folder;
  folder.write("case.json",
               case_of(kSquare, R"("in": {"size": 1024, "fill": "iota"}, "out": {"size": 1024})"));
  const Json patch =
      patched(folder,
              "template <int T, bool Rev> __global__ void k(const float* in, float* out) {\n"
              "  constexpr int N = T;\n"
              "  __shared__ float tile[N][N];\n"
              "  const int x = threadIdx.x, y = threadIdx.y;\n"
              "  tile[y][x] = in[y * T + x];\n"
              "  __syncthreads();\n"
              "  if constexpr (Rev)\n"
              "    out[y * T + x] = tile[N - 1 - x][y];\n"
              "  else\n"
              "    out[y * T + x] = tile[x][y];\n}\n"
              "template __global__ void k<32, false>(const float*, float*);\n"
              "template __global__ void k<24, true>(const float*, float*);\n",
              "--kernel 'k<32, false>' --gpu h200", "k.cu");
  CHECK(patch.is_null());
}

TEST_CASE("A kernel of a header has no patch, and gates look for none") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  folder.write("k.h", kTiled);
  folder.write("k.cl", "#include \"k.h\"\n");
  CHECK_THAT(run(folder.kernel_and_case() + " --gpu h200").output,
             ContainsSubstring("\nchanges of files that the source includes are not tried as "
                               "patches\n"));
  folder.write("k.cl", kTiled);
  CHECK_THAT(run(folder.kernel_and_case() + " --gpu h200").output, ContainsSubstring("\npatch: "));
  const Ran gate = run(folder.kernel_and_case() + " --gpu h200 --cycles 1000000");
  CHECK(gate.exit_code == 0);
  CHECK(gate.output.find("patch") == std::string::npos);
}

TEST_CASE("Without a folder for the copy, everything but patches is printed") {
  const Folder folder;
  folder.write("case.json", case_of(kSquare, kBuffers));
  folder.write("k.cl", kTiled);
  const Ran ran =
      run_shell(fmt::format("TMPDIR='{}/none' '{}' memory {} --gpu h200", folder.path.string(),
                            GPUTEST_COMMAND, folder.kernel_and_case()));
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("\nno patches were looked for: "));
}

TEST_CASE("Kernels of CUDA get patches of their own files") {
  const Folder folder;
  folder.write("case.json",
               case_of(kSquare, R"("in": {"size": 1024, "fill": "iota"}, "out": {"size": 1024})"));
  const Json patch =
      patched(folder,
              "template <int Tile> __global__ void k(const float* in, float* out) {\n"
              "  __shared__ float tile[Tile][Tile];\n"
              "  const int x = threadIdx.x, y = threadIdx.y;\n"
              "  tile[y][x] = in[y * Tile + x];\n"
              "  __syncthreads();\n"
              "  out[y * Tile + x] = tile[x][y];\n}\n",
              "--kernel 'k<32>' --gpu h200", "k.cu");
  REQUIRE(patch.is_object());
  CHECK(patch["text"] == "rows of 'tile' padded by one element");
  CHECK_THAT(folder.read("k.cu"), ContainsSubstring("__shared__ float tile[Tile][Tile + 1];"));
}
