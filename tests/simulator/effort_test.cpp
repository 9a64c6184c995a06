// Code that is made quickly, and made again in full when it has run for long.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include "process/child.h"
#include "process/scratch_folder.h"
#include "simulator/memory/guard.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
namespace fs = std::filesystem;

namespace {

Source source_of(const std::string& text) {
  return {.name = "t.cl",
          .text = "#line 1 \"/t.cl\"\n" + text,
          .definitions = {},
          .include_directories = {},
          .options = {},
          .cl_std = ""};
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::vector<std::byte> memory_after(Run what, bool in_full) {
  what.in_full = in_full;
  Ran ran = run(what);
  CHECK(ran.result.findings.empty());
  return ran.memory.at(0);
}

} // namespace

TEST_CASE("Both efforts compute the same bits") {
  Run what{.text = "", .global_size = 64, .local_size = 16, .arguments = {}};
  std::vector<float> numbers(64);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = std::ldexp(static_cast<float>(i * 37 % 101) + 0.3f, static_cast<int>(i % 7));
  what.arguments = {buffer(numbers)};
  SECTION("sums of products, in the order in which they stand") {
    what.text = "kernel void k(global float* x) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float sum = 0;\n"
                "  for (int j = 0; j < 64; ++j) sum += x[j] * x[(i + j) % 64] + 0.1f;\n"
                "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                "  x[i] = sum / 3 + sqrt(sum) - exp2(-sum) + fma(sum, 0.1f, sum);\n"
                "}\n";
    what.global_size = 16; // one work-group: nobody else reads what it writes
  }
  SECTION("numbers that are converted, and shifted by more than they have") {
    what.text = "kernel void k(global float* x) {\n"
                "  size_t i = get_global_id(0);\n"
                "  int4 v = convert_int4_sat_rte((float4)(x[i], -x[i], x[i] * 1e9f, 0.5f));\n"
                "  uint u = as_uint(x[i]) << (i + 30) ^ convert_uint_sat(-x[i]);\n"
                "  x[i] = as_float((uint)(v.x ^ v.y ^ v.z ^ v.w) ^ u ^ (uint)(v.x / 3 % 5));\n"
                "}\n";
  }
  SECTION("a variable that nobody has written is 0") {
    what.text = "kernel void k(global float* x) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float sum; int n; float4 four;\n"
                "  if (i % 2) sum = x[i];\n"
                "  if (i % 3) n = 4;\n"
                "  four.x = x[i];\n"
                "  x[i] = sum + n + four.w;\n"
                "}\n";
    const std::vector<std::byte> bytes = memory_after(what, false);
    std::vector<float> left(numbers.size());
    std::memcpy(left.data(), bytes.data(), bytes.size());
    CHECK(left[0] == 0);
    CHECK(left[2] == 4);
    CHECK(left[3] == numbers[3]);
  }
  CHECK(memory_after(what, false) == memory_after(what, true));
}

TEST_CASE("Code that has run for long is made again in the middle of a launch") {
  const gputest::process::ScratchFolder folder("gputest-effort");
  const Cache cache(folder.path());
  const std::string text = "kernel void k(global int* out, int last) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  for (int j = 0; j < 20000; ++j) out[i] = out[i] * 5 + j;\n"
                           "  if (i == last)\n"
                           "    out[i + 1000000] = 1;\n"
                           "}\n";
  constexpr std::size_t kItems = 4000;
  on_large_stack([&] {
    const auto launched = [&](Program& program, int last) {
      LaunchRequest request{.sizes = {.global = {kItems, 1, 1}}, .arguments = {}, .order = {}};
      const KernelShape& shape = program.kernel({.kernel = "k"}).shape;
      const std::vector<GivenArgument> given{
          {.kind = Parameter::Kind::Buffer, .bytes = std::vector<std::byte>(kItems * 4)},
          {.kind = Parameter::Kind::Value, .bytes = buffer(std::vector<int>{last}).bytes}};
      const std::size_t size = place_arguments(given, shape, request);
      const int memory = ::memfd_create("gputest-effort", 0);
      REQUIRE(::ftruncate(memory, static_cast<off_t>(size)) == 0);
      REQUIRE(::pwrite(memory, &last, sizeof last,
                       static_cast<off_t>(request.arguments[1].offset)) == sizeof last);
      ProgramVariables variables;
      LaunchResult result =
          launch(program.kernel({.kernel = "k"}).code, shape, request, memory, variables);
      std::vector<int> left(kItems);
      REQUIRE(::pread(memory, left.data(), kItems * 4,
                      static_cast<off_t>(request.arguments[0].offset)) == kItems * 4);
      ::close(memory);
      return std::pair(std::move(result), left);
    };
    Program program(source_of(text), cache);
    const LoadedCode& code = program.kernel({.kernel = "k"}).code;
    CHECK(files_in(folder.path()) == 1);
    REQUIRE(code.patience() > 0);
    CHECK(std::isinf(code.patience(code.patience()))); // might use up a limit of so many seconds
    CHECK(code.patience(1000) == code.patience());
    code.has_run(code.patience() - 0.001); // the rest of it is over after a few groups
    const auto [result, left] = launched(program, -1);
    CHECK(result.findings.empty());
    CHECK(std::isinf(code.patience()));
    CHECK(files_in(folder.path()) == 2);
    CHECK(std::set(left.begin(), left.end()).size() == 1); // each work-item computes the same
    CHECK(left[0] != 0);

    Program later(source_of(text), cache); // another process
    CHECK(std::isinf(later.kernel({.kernel = "k"}).code.patience()));
    CHECK(later.is_compiled({.kernel = "k"}));
    CHECK_FALSE(later.is_compiled({.kernel = "k", .ordered = true}));

    // A fault is told at its line in code of either kind.
    const auto [fatal, nothing] = launched(program, kItems - 1);
    REQUIRE(fatal.findings.size() == 1);
    CHECK(fatal.findings[0].site.line == 5);
  });
}

TEST_CASE("Shadows of values are no accesses for the check of races") {
  on_large_stack([] {
    llvm::LLVMContext context;
    const CompiledSource compiled =
        compile(source_of("kernel void k(global int* out, global const int* in, int n) {\n"
                          "  for (int j = 0; j < n; ++j)\n"
                          "    out[j] = in[j];\n}\n"),
                context);
    for (const std::vector<std::string>& checks :
         {std::vector<std::string>{"races"}, {"races", "uninitialized"}}) {
      const std::unique_ptr<llvm::Module> module = llvm::CloneModule(*compiled.module);
      const Code made =
          make_code(*module, {.kernel = "k", .checks = checks_named(checks)}, Effort::Quick);
      CHECK(made.shape.ranges);
    }
  });
}

TEST_CASE("Time in which others have the processor is no time that code has run") {
  on_large_stack([] {
    llvm::LLVMContext context;
    const CompiledSource compiled = compile(
        source_of("kernel void k(global int* out) { out[get_global_id(0)] = 1; }"), context);
    const Code made = make_code(*compiled.module, {.kernel = "k"}, Effort::Quick);
    LoadedCode code(made.object, native_symbols());
    bool is_replaced = false;
    code.replace_after(1000, 0, [&] {
      is_replaced = true;
      return made.object;
    });
    code.has_launched(1500); // this process has used next to nothing of a processor
    CHECK(code.patience() == -500);
    code.replace_if_due();
    CHECK_FALSE(is_replaced);
    CHECK(code.patience() > 500);
    CHECK(code.patience() <= 1000);
    const auto ended = gputest::process::Child::fork([&] { // which has used nothing at all
                         code.has_launched(1500);
                         code.replace_if_due();
                         ::_exit(!is_replaced && code.patience() > 500 ? 0 : 1);
                       })
                           .wait();
    CHECK(ended.succeeded());
    code.has_run(1500);
    code.replace_if_due();
    CHECK(is_replaced);
    CHECK(std::isinf(code.patience()));
  });
}

TEST_CASE("Time that quick code has run in other processes counts") {
  const gputest::process::ScratchFolder folder("gputest-effort");
  const Cache cache(folder.path());
  const CodeVariant variant{.kernel = "k"};
  const auto patience_after = [&](double seconds) { // of another process
    Program program(source_of("kernel void k(global int* out) { out[get_global_id(0)] = 1; }"),
                    cache);
    const double patience = program.kernel(variant).code.patience();
    program.kernel(variant).code.has_run(seconds);
    return patience;
  };
  const double all = patience_after(0);
  REQUIRE(all > 0);
  CHECK(patience_after(all / 100) == all); // nothing to write down
  CHECK(patience_after(all / 2) == all);
  CHECK(std::abs(patience_after(all) - all / 2) < 1e-9);
  CHECK(std::abs(patience_after(0) + all / 2) < 1e-9); // it is made in full at once
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("Where results depend on how code is made, it is made in full at once") {
  on_large_stack([&] {
    const Cache none{fs::path()};
    for (const char* option : {"", "-cl-fast-relaxed-math"}) {
      Source source = source_of("kernel void k(global float* x) { x[0] = x[1] * x[2] + x[3]; }\n");
      if (*option)
        source.options = {option};
      Program program(source, none);
      CHECK(std::isinf(program.kernel({.kernel = "k"}).code.patience()) == (*option != 0));
      CHECK(std::isinf(program.kernel({.kernel = "k", .interleaved = true}).code.patience()));
    }
  });
}
