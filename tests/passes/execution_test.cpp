// Instrumented kernels on a device: they compute what the originals compute, and record what a
// program's own record of itself says. Instrumenting is left to the gputest command: its LLVM and
// that of an OpenCL driver do not bear each other in one process.
#include "tests/passes/any_device.h"

#include "model/files.h"
#include "model/sites.h"
#include "templates/state.h"
#include "tests/catch.h"
#include "tests/needs.h"
#include "tests/passes/random_program.h"
#include "tests/random_count.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

struct Range {
  std::size_t items = 32, group = 8;
};

struct Run {
  std::vector<cl_int> output;
  std::vector<cl_uint> coverage, divergence;

  bool bit(unsigned index) const { return coverage[index / 32] >> (index % 32) & 1; }
};

// How an instrumented kernel is built and launched.
enum class Manner {
  Shared, // as for GPUs
  Slots,  // words of each work-item's own
  OnCpu   // as for CPUs, and twice: the second time everything is known already
};

// kernel void test(global int* out, global const int* in [, state])
Run run(const tests::Device& on, const std::string& text, std::size_t outputs,
        const model::SiteTable* sites, Manner manner, std::vector<cl_int> input = {},
        Range range = {}, const std::string& options = "") {
  if (input.empty())
    for (std::size_t i = 0; i < range.items; ++i)
      input.push_back(static_cast<cl_int>(i));
  const cl::Context& context = on.context;
  const cl::CommandQueue queue(context, on.device);
  const cl::Program program(context, text);
  try {
    program.build(fmt::format("-I {}/coverage {} {}", GPUTEST_TEST_DATA, options,
                              manner == Manner::Slots   ? "-DGPUTEST_FLUSH_SLOTS=1"
                              : manner == Manner::OnCpu ? "-DGPUTEST_ON_CPU=1"
                                                        : "")
                      .c_str());
  } catch (const cl::Error&) {
    FAIL("does not build:\n" << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(on.device) << text);
  }
  cl::Kernel kernel(program, "test");
  Run result;
  result.output.assign(outputs, 0);
  cl::Buffer out(context, CL_MEM_COPY_HOST_PTR, outputs * sizeof(cl_int), result.output.data());
  cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, input.size() * sizeof(cl_int), input.data());
  kernel.setArg(0, out);
  kernel.setArg(1, in);
  std::vector<cl_uint> state;
  cl::Buffer buffer;
  if (sites) {
    state.resize(GPUTEST_STATE_HEADER_WORDS + sites->coverage_words + sites->divergence_words +
                 sites->coverage_words * range.items);
    buffer =
        cl::Buffer(context, CL_MEM_COPY_HOST_PTR, state.size() * sizeof(cl_uint), state.data());
    kernel.setArg(2, buffer);
  }
  const auto launch = [&] {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(range.items),
                               cl::NDRange(range.group));
    queue.enqueueReadBuffer(out, CL_TRUE, 0, outputs * sizeof(cl_int), result.output.data());
  };
  launch();
  if (manner == Manner::OnCpu) {
    const std::vector<cl_int> first = std::exchange(result.output, std::vector<cl_int>(outputs, 0));
    queue.enqueueWriteBuffer(out, CL_TRUE, 0, outputs * sizeof(cl_int), result.output.data());
    launch();
    CHECK(result.output == first);
  }
  if (sites) {
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, state.size() * sizeof(cl_uint), state.data());
    const auto coverage = state.begin() + GPUTEST_STATE_HEADER_WORDS;
    const auto divergence = coverage + sites->coverage_words;
    const auto item_words = divergence + sites->divergence_words;
    result.coverage.assign(coverage, divergence);
    result.divergence.assign(divergence, item_words);
    for (unsigned word = 0; word < sites->coverage_words; ++word)
      for (std::size_t item = 0; item < range.items; ++item)
        result.coverage[word] |= item_words[static_cast<std::ptrdiff_t>(word * range.items + item)];
  }
  return result;
}

struct Program {
  std::string original, instrumented;
  model::SiteTable sites;
};

Program instrument(const fs::path& source) {
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("gputest_execution_{}", ::getpid());
  const std::string command = fmt::format("'{}' instrument '{}' --output-dir '{}'", GPUTEST_COMMAND,
                                          source.string(), folder.string());
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  Program program{model::read_text(source).value(),
                  model::read_text(folder / "coverage.cl").value(),
                  model::read_site_table(folder / "sites.json")};
  fs::remove_all(folder);
  return program;
}

Program instrument_text(const std::string& text) {
  const fs::path file =
      fs::temp_directory_path() / fmt::format("gputest_execution_{}.cl", ::getpid());
  std::ofstream(file) << text;
  Program result = instrument(file);
  fs::remove(file);
  return result;
}

// The number after `prefix` in a site's text.
std::optional<unsigned> number_after(const std::string& text, const std::string& prefix) {
  if (text.rfind(prefix, 0) != 0 || !std::isdigit(static_cast<unsigned char>(text[prefix.size()])))
    return std::nullopt;
  return static_cast<unsigned>(std::stoul(text.substr(prefix.size())));
}

// "t(trace, 1, a) && t(trace, 2, b)" is not.
bool is_one_call(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text[i] == ')')
      return i + 1 == text.size();
  }
  return false;
}

// What the program recorded itself against what was recorded by instrumentation. Returns how many
// outcomes could be compared.
std::size_t compare(const model::SiteTable& sites, const Run& instrumented) {
  std::size_t compared = 0;
  const auto check = [&](const model::Site& site, unsigned outcome, bool happened) {
    INFO(site.line << ": " << name_of(site.criterion) << " " << site.text << " "
                   << site.outcomes[outcome].name);
    CHECK(instrumented.bit(site.outcomes[outcome].bit) == happened);
    ++compared;
  };
  const auto recorded = [&](unsigned place) { return instrumented.output[place] != 0; };
  for (const model::Site& site : sites.sites) {
    if (site.criterion == model::Criterion::Statement) {
      if (const auto n = number_after(site.text, "trace["))
        check(site, 0, recorded(*n));
    } else if (site.criterion == model::Criterion::Branch ||
               site.criterion == model::Criterion::Condition) {
      if (const auto n = number_after(site.text, "t(trace, "); n && is_one_call(site.text)) {
        check(site, 0, recorded(*n + 1));
        check(site, 1, recorded(*n));
      }
    }
  }
  return compared;
}

// A loop is named by the variable declared before it, a label by its expression.
std::size_t compare_loops_and_switches(const std::string& text, const model::SiteTable& sites,
                                       const Run& instrumented) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  std::size_t compared = 0;
  const auto check = [&](const model::Site& site, const model::Outcome& outcome, unsigned place) {
    INFO(site.line << ": " << site.text << " " << outcome.name);
    CHECK(instrumented.bit(outcome.bit) == (instrumented.output[place] != 0));
    ++compared;
  };
  for (const model::Site& site : sites.sites) {
    if (site.criterion == model::Criterion::Loop) {
      std::size_t before = site.line - 2;
      while (lines.at(before).rfind("{ int loop", 0) != 0)
        --before;
      const auto n = number_after(lines.at(before), "{ int loop");
      REQUIRE(n);
      for (const model::Outcome& outcome : site.outcomes)
        if (outcome.name != "boundary")
          check(site, outcome, *n + (outcome.name == "zero" ? 0 : outcome.name == "one" ? 1 : 2));
    } else if (site.kind == "switch") {
      unsigned label = 0, n = 0;
      if (std::sscanf(site.text.c_str(), "case %u + 0 * %u", &label, &n) == 2)
        check(site, site.outcomes.front(), n + label);
    }
  }
  return compared;
}

} // namespace

TEST_CASE("instrumented golden cases compute what the originals compute", "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(GPUTEST_TEST_DATA) / "coverage")) {
    if (entry.path().extension() != ".cl")
      continue;
    INFO(entry.path().string());
    ++files;
    const Program program = instrument(entry.path());
    // Random programs, below, are optimised: here it is the transform that counts.
    const auto run_it = [&](const std::string& text, const model::SiteTable* sites, Manner manner) {
      return run(*device, text, Range{}.items, sites, manner, {}, {}, "-cl-opt-disable");
    };
    const Run original = run_it(program.original, nullptr, Manner::Shared);
    const Run shared = run_it(program.instrumented, &program.sites, Manner::Shared);
    const auto kernel =
        std::ranges::find(program.sites.kernels, "test", &model::InstrumentedKernel::name);
    const Run slots = kernel->straight_line
                          ? run_it(program.instrumented, &program.sites, Manner::Slots)
                          : shared;
    const Run on_cpu = run_it(program.instrumented, &program.sites, Manner::OnCpu);
    CHECK(shared.output == original.output);
    CHECK(slots.output == original.output);
    CHECK(on_cpu.output == original.output);
    CHECK(shared.coverage == slots.coverage);
    CHECK(shared.coverage == on_cpu.coverage);
    CHECK(std::ranges::count(shared.divergence, 0u) ==
          static_cast<std::ptrdiff_t>(shared.divergence.size()));
  }
  CHECK(files > 10);
}

TEST_CASE("random programs: what is recorded is what happened", "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  const std::size_t programs = tests::random_count(2);
  std::size_t compared = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const tests::RandomProgram program = tests::random_program(seed);
    const Program result = instrument_text(program.text);
    INFO("seed " << seed << "\n" << program.text);
    const Run original = run(*device, program.text, program.trace_size, nullptr, Manner::Shared);
    const Run instrumented =
        run(*device, result.instrumented, program.trace_size, &result.sites, Manner::Shared);
    const Run on_cpu =
        run(*device, result.instrumented, program.trace_size, &result.sites, Manner::OnCpu);
    CHECK(instrumented.output == original.output);
    CHECK(on_cpu.output == original.output);
    CHECK(on_cpu.coverage == instrumented.coverage);
    compared += compare(result.sites, instrumented);
    compared += compare_loops_and_switches(program.text, result.sites, instrumented);
  }
  CHECK(compared > programs * 40);
}

// Behind a barrier within a condition, PoCL 3.1 compiles some conditional stores wrong. What it
// makes of the original without optimisation says whether it is the original that it gets wrong.
TEST_CASE("executions of loops that begin inside count their iterations", "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  const Program jump = instrument_text(
      "kernel void test(global int* out, global const int* in) {\n  int n = in[0], x = 0;\n"
      "  if (n > 0)\n    goto inside;\n  for (; n < in[1]; ++n) {\n    x += 1;\n  inside:\n"
      "    x += 10;\n  }\n  out[0] = x;\n}\n");
  const Program duff = instrument_text(
      "kernel void test(global int* out, global const int* in) {\n"
      "  int n = (in[0] + 3) / 4, x = 0;\n  switch (in[0] % 4) {\n  case 0:\n    do {\n"
      "      x++;\n  case 3:\n      x++;\n  case 2:\n      x++;\n  case 1:\n      x++;\n"
      "    } while (--n > 0);\n  }\n  out[0] = x;\n}\n");
  struct Case {
    const Program& program;
    std::vector<cl_int> input;
    std::string outcome;
  };
  for (const auto& [program, input, outcome] :
       {Case{jump, {0, 0}, "zero"}, Case{jump, {0, 1}, "one"}, Case{jump, {0, 3}, "many"},
        Case{jump, {5, 5}, "one"}, Case{jump, {5, 7}, "many"}, Case{duff, {2, 0}, "one"},
        Case{duff, {4, 0}, "one"}, Case{duff, {5, 0}, "many"}, Case{duff, {8, 0}, "many"}}) {
    INFO(program.original << input[0] << " " << input[1]);
    const Range one{.items = 1, .group = 1};
    const Run original = run(*device, program.original, 1, nullptr, Manner::Shared, input, one);
    const Run recorded =
        run(*device, program.instrumented, 1, &program.sites, Manner::Shared, input, one);
    CHECK(recorded.output == original.output);
    std::string occurred;
    for (const model::Site& site : program.sites.sites)
      for (const model::Outcome& each : site.outcomes)
        if (site.criterion == model::Criterion::Loop && each.name != "boundary" &&
            recorded.bit(each.bit))
          occurred += each.name;
    CHECK(occurred == outcome);
  }
}

TEST_CASE("random programs with barriers compute what the originals compute",
          "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  constexpr Range kRange{.items = 512, .group = 256};
  std::vector<cl_int> input;
  for (std::size_t i = 0; i < kRange.items; ++i)
    input.push_back(i < 4 ? static_cast<cl_int>((i + 2) % 4) : static_cast<cl_int>(i * 37 % 101));
  std::vector<std::string> programs{
      "kernel void test(global uint* out, global const uint* in) {\n"
      "  const int t = get_global_id(0);\n  if (t < 600) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    uint x = in[t];\n    if (x < in[511 - t]) out[t] = x - 5;\n"
      "    else out[t] += in[511 - t] - x;\n  }\n}\n"};
  const std::optional<std::size_t> asked = tests::asked_random_count();
  // By default a few, some of which PoCL 3.1 compiles wrong with a publication right behind them.
  const std::uint32_t first = asked ? 1 : 14;
  const auto last = asked ? static_cast<std::uint32_t>(*asked) : 16u;
  for (std::uint32_t seed = first; seed <= last; ++seed)
    programs.push_back(tests::random_barriers(seed));
  std::size_t compared = 0;
  for (const std::string& text : programs) {
    INFO(text);
    const Run original = run(*device, text, kRange.items, nullptr, Manner::Shared, input, kRange);
    const Run plain =
        run(*device, text, kRange.items, nullptr, Manner::Shared, input, kRange, "-cl-opt-disable");
    if (original.output != plain.output)
      continue;
    ++compared;
    const Program result = instrument_text(text);
    const Run shared = run(*device, result.instrumented, kRange.items, &result.sites,
                           Manner::Shared, input, kRange);
    const Run on_cpu = run(*device, result.instrumented, kRange.items, &result.sites, Manner::OnCpu,
                           input, kRange);
    CHECK(shared.output == original.output);
    CHECK(on_cpu.output == original.output);
    CHECK(on_cpu.coverage == shared.coverage);
    CHECK(std::ranges::count(shared.divergence, 0u) ==
          static_cast<std::ptrdiff_t>(shared.divergence.size()));
  }
  CHECK(compared * 10 >= programs.size() * 9);
}

TEST_CASE("a divergent barrier is found before it is executed", "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  const auto diverges = [&](const std::string& body) {
    const Program program =
        instrument_text("void sync(int on) { if (on) barrier(CLK_LOCAL_MEM_FENCE); }\n"
                        "kernel void test(global int* out, global const int* in) {\n  const int i "
                        "= get_global_id(0), lid = get_local_id(0);\n" +
                        body + "\n  out[i] = 1;\n}\n");
    const Run result =
        run(*device, program.instrumented, Range{}.items, &program.sites, Manner::Shared);
    INFO(body);
    std::vector<std::string> found;
    for (const model::Vote& vote : program.sites.votes)
      if (result.divergence[vote.word])
        found.push_back(fmt::format("{} in group {}", vote.text, result.divergence[vote.word] - 1));
    return found;
  };
  using Found = std::vector<std::string>;
  CHECK(diverges("if (i < 28) barrier(CLK_LOCAL_MEM_FENCE);") == Found{"i < 28 in group 3"});
  CHECK(diverges("if (i >= 30) return; barrier(CLK_LOCAL_MEM_FENCE);") ==
        Found{"i >= 30 in group 3"});
  CHECK(diverges("if (i < 24) barrier(CLK_LOCAL_MEM_FENCE);") == Found{});
  CHECK(diverges("for (int k = 0; k < i / 20; ++k) barrier(CLK_LOCAL_MEM_FENCE);") ==
        Found{"k < i / 20 in group 2"});
  CHECK(diverges("switch (i / 12) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: out[i] = "
                 "2; }") == Found{"i / 12 in group 1"});
  CHECK(diverges("sync(i != 9); sync(i == 9);") == Found{"on in group 1"});
  CHECK(diverges("int k = 0; do { barrier(CLK_LOCAL_MEM_FENCE); } while (++k < 2 + (i == 17));") ==
        Found{"++k < 2 + (i == 17) in group 2"});
  CHECK(diverges("if (lid < 100 && in[i] >= 0) { barrier(CLK_LOCAL_MEM_FENCE); }") == Found{});
}
