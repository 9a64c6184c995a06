// Mutants on a device: with none active mutants.cl computes what the original computes, and a
// mutant chosen there computes what it computes alone. Making them is left to the gputest command:
// its LLVM and that of an OpenCL driver do not bear each other in one process.
#include "tests/passes/any_device.h"

#include "model/files.h"
#include "model/mutation/mutants.h"
#include "templates/state.h"
#include "tests/catch.h"
#include "tests/needs.h"
#include "tests/passes/random_calls.h"
#include "tests/random_count.h"

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <random>
#include <regex>
#include <unistd.h>

namespace gputest::mutants_on_device {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kInputs = tests::kCallItems + 8;

struct Outcome {
  std::vector<cl_int> output;
  cl_uint events = 0;
  bool operator==(const Outcome&) const = default;
};

// kernel void test(global int* out, global const uint* in [, state])
class Program {
public:
  Program(const tests::Device& on, const std::string& text, unsigned statements)
      : context_(on.context), queue_(context_, on.device), program_(context_, text),
        outputs_(tests::kCallItems * statements) {
    try {
      program_.build("-cl-opt-disable");
    } catch (const cl::Error&) {
      FAIL("does not build:\n" << program_.getBuildInfo<CL_PROGRAM_BUILD_LOG>(on.device) << text);
    }
  }

  // `table`: of the mutants; null: the text has no state buffer.
  Outcome run(const model::MutantTable* table, unsigned active) {
    std::vector<cl_uint> input;
    std::mt19937 random(7);
    for (std::size_t i = 0; i < kInputs; ++i)
      input.push_back(static_cast<cl_uint>(random()));
    Outcome result{std::vector<cl_int>(outputs_, 0), 0};
    const std::size_t bytes = outputs_ * sizeof(cl_int);
    const cl::Buffer out(context_, CL_MEM_COPY_HOST_PTR, bytes, result.output.data());
    const cl::Buffer in(context_, CL_MEM_COPY_HOST_PTR, kInputs * sizeof(cl_uint), input.data());
    cl::Kernel kernel(program_, "test");
    kernel.setArg(0, out);
    kernel.setArg(1, in);
    std::vector<cl_uint> state;
    cl::Buffer buffer;
    if (table) {
      state.resize(GPUTEST_STATE_HEADER_WORDS + 2 * table->arguments + table->reached_bits / 32 +
                   1);
      state[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
      state[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
      state[GPUTEST_STATE_ACTIVE] = active;
      state[GPUTEST_STATE_BUDGET] = 100000;
      state[GPUTEST_STATE_HEADER_WORDS] = static_cast<cl_uint>(bytes);
      state[GPUTEST_STATE_HEADER_WORDS + 2] = kInputs * sizeof(cl_uint);
      buffer =
          cl::Buffer(context_, CL_MEM_COPY_HOST_PTR, state.size() * sizeof(cl_uint), state.data());
      kernel.setArg(2, buffer);
    }
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(tests::kCallItems),
                                cl::NDRange(4));
    queue_.enqueueReadBuffer(out, CL_TRUE, 0, bytes, result.output.data());
    if (table) {
      queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, state.size() * sizeof(cl_uint), state.data());
      result.events = state[GPUTEST_STATE_EVENTS];
    }
    return result;
  }

private:
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
  std::size_t outputs_;
};

// A folder with k.cl, mutants.cl and mutants.json.
class Mutants {
public:
  explicit Mutants(const std::string& source, const std::string& option = "--no-equivalence")
      : folder_(fs::temp_directory_path() / fmt::format("gputest_mutants_{}", ::getpid())) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "k.cl") << source;
    command(fmt::format("{} --output-dir '{}'", option, folder_.string()));
    text = model::read_text(folder_ / "mutants.cl").value();
    table = model::read_mutant_table(folder_ / "mutants.json");
  }
  ~Mutants() { fs::remove_all(folder_); }
  Mutants(const Mutants&) = delete;
  Mutants& operator=(const Mutants&) = delete;

  std::string alone(const std::string& id) const {
    command(fmt::format("--alone {} --output '{}'", id, (folder_ / "alone.cl").string()));
    return model::read_text(folder_ / "alone.cl").value();
  }

  // Compares the mutants of these ids alone.
  model::MutantTable compared(const std::string& ids, const std::string& limit) const {
    std::ofstream(folder_ / "ids.txt") << ids;
    command(fmt::format("--equivalence-of '{}' --time-limit {} --output '{}'",
                        (folder_ / "ids.txt").string(), limit, (folder_ / "found.json").string()));
    return model::read_mutant_table(folder_ / "found.json");
  }

  std::string text;
  model::MutantTable table;

private:
  void command(const std::string& arguments) const {
    const std::string line = fmt::format("'{}' mutants '{}' {}", GPUTEST_COMMAND,
                                         (folder_ / "k.cl").string(), arguments);
    INFO(line);
    REQUIRE(std::system(line.c_str()) == 0);
  }

  fs::path folder_;
};

// Whether the mutant changes where a work-item writes: several may write to one place then, and
// which of them comes last is up to the compiler.
bool changes_place(const model::Mutant& mutant) {
  static const std::regex place(R"(k|out\[k\]|i|\d+|16 \* \d+|i \+ 16 \* \d+|.*get_\w+\(0\).*)");
  return std::regex_match(mutant.text, place);
}

} // namespace

TEST_CASE("random calls: mutants.cl computes what the original and each mutant alone compute",
          "[device][needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  constexpr unsigned kStatements = 12, kAlone = 5;
  unsigned differ = 0;
  const std::size_t programs = tests::random_count(1);
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const std::string source = tests::random_calls(seed, kStatements);
    INFO("seed " << seed << "\n" << source);
    const Mutants mutants(source);
    const Outcome original = Program(*device, source, kStatements).run(nullptr, 0);
    Program all(*device, mutants.text, kStatements);
    CHECK(all.run(&mutants.table, 0) == original);
    std::vector<const model::Mutant*> switched;
    for (const model::Mutant& mutant : mutants.table.mutants)
      if (mutant.kind == model::MutantKind::Switched && !changes_place(mutant))
        switched.push_back(&mutant);
    REQUIRE(switched.size() > kStatements);
    std::mt19937 random(seed);
    for (unsigned i = 0; i < kAlone; ++i) {
      const model::Mutant& mutant = *switched[random() % switched.size()];
      INFO(mutant.id << " " << mutant.line << ":" << mutant.column << " " << mutant.text << " -> "
                     << mutant.replacement);
      const Outcome chosen = all.run(&mutants.table, mutant.number);
      const Outcome alone =
          Program(*device, mutants.alone(mutant.id), kStatements).run(&mutants.table, 0);
      CHECK(chosen.output == alone.output);
      CHECK(chosen.events == alone.events);
      differ += chosen != original;
    }
  }
  CHECK(differ > programs); // that mutants do something
}

TEST_CASE("a sum of many products is not copied for each of them", "[needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  std::string source = "kernel void test(global int* out, global const uint* in) {\n"
                       "  const int i = get_global_id(0);\n"
                       "  const float a = in[i] * 1e-9f, b = in[i + 1] * 1e-8f;\n"
                       "  const float sum = a";
  for (int k = 0; k < 120; ++k)
    source += fmt::format(" {} {} * {}.3f", k % 5 == 4 ? '-' : '+', k % 3 == 0 ? "a" : "b", k);
  source += ";\n  out[i] = as_int(sum);\n}\n";
  const Mutants mutants(source);
  CHECK(mutants.text.find(" float gputest_sum_") != std::string::npos);
  CHECK(mutants.text.size() < 200'000); // with copies 400'000
  for (const model::Mutant& mutant : mutants.table.mutants)
    CHECK(mutant.text.size() + mutant.replacement.size() < 1'300);
  const Outcome original = Program(*device, source, 1).run(nullptr, 0);
  Program all(*device, mutants.text, 1);
  CHECK(all.run(&mutants.table, 0) == original);
  unsigned seen = 0, differ = 0;
  for (const model::Mutant& mutant : mutants.table.mutants) {
    if (mutant.kind != model::MutantKind::Switched || seen++ % 150 != 149)
      continue;
    INFO(mutant.id << " " << mutant.text << " -> " << mutant.replacement);
    const Outcome alone = Program(*device, mutants.alone(mutant.id), 1).run(&mutants.table, 0);
    const Outcome chosen = all.run(&mutants.table, mutant.number);
    for (std::size_t i = 0; i < alone.output.size(); ++i) // a mutant may be rounded otherwise
      CHECK(std::bit_cast<float>(chosen.output[i]) ==
            Approx(std::bit_cast<float>(alone.output[i])));
    differ += alone != original;
  }
  CHECK(differ > 1);
}

TEST_CASE("random loops: mutants that are proved equivalent compute what the original computes",
          "[device][needs][needs-device]") {
  const auto device = tests::any_device();
  tests::needs("device", device.has_value(), "there is no OpenCL device");
  constexpr unsigned kStatements = 4;
  const std::size_t programs = tests::random_count(1);
  unsigned proved = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const std::string source = tests::random_loops(seed, kStatements);
    INFO("seed " << seed << "\n" << source);
    const Mutants mutants(source, "--equivalence");
    const Outcome original = Program(*device, source, kStatements).run(nullptr, 0);
    Program all(*device, mutants.text, kStatements);
    CHECK(all.run(&mutants.table, 0) == original);
    for (const model::Mutant& mutant : mutants.table.mutants) {
      if (!mutant.equivalent || mutant.kind != model::MutantKind::Switched)
        continue;
      INFO(mutant.id << " " << mutant.line << ":" << mutant.column << " " << mutant.text << " -> "
                     << mutant.replacement);
      CHECK(all.run(&mutants.table, mutant.number) == original);
      ++proved;
    }
  }
  CHECK(proved > programs);
}

TEST_CASE("survivors are compared by themselves, in the time there is", "[mutation]") {
  std::string source = "kernel void test(global int* out, global const uint* in) {\n"
                       "  const int i = get_global_id(0);\n  const uint n = in[i];\n"
                       "  if (n > 0) out[i] = n * 1;\n";
  for (int k = 0; k < 80; ++k) // more than 1000 mutants
    source += fmt::format("  out[{}] += n + {};\n", k, k);
  const Mutants mutants(source + "}\n", "");
  REQUIRE(mutants.table.mutants.size() > 1000);
  CHECK_FALSE(mutants.table.compared);
  std::string ids;
  const auto add = [&](const std::string& text, const std::string& replacement) {
    for (const model::Mutant& mutant : mutants.table.mutants)
      if (mutant.text == text && mutant.replacement == replacement) {
        CHECK_FALSE(mutant.equivalent);
        ids += mutant.id + "\n";
        return mutant.id;
      }
    FAIL("there is no " << text << " -> " << replacement);
    return std::string();
  };
  const std::string same = add("n > 0", "n != 0"), other = add("n > 0", "n >= 0"),
                    never = add("n > 0", "n == 0"), also = add("n > 0", "n <= 0");
  const model::MutantTable found = mutants.compared(ids, "60");
  REQUIRE(found.mutants.size() == 4);
  CHECK(found.find(same)->equivalent);
  CHECK_FALSE(found.find(other)->equivalent);
  CHECK((found.find(never)->duplicate_of == also || found.find(also)->duplicate_of == never));
  CHECK(found.find(same)->number == mutants.table.find(same)->number);

  const model::MutantTable late = mutants.compared(ids, "0.000001");
  for (const model::Mutant& mutant : late.mutants)
    CHECK_FALSE(mutant.equivalent);
  REQUIRE(late.not_mutated.size() > 0);
  CHECK(late.not_mutated.back().reason ==
        "not looked for: the limit was reached before 4 of 4 mutants");
}

} // namespace gputest::mutants_on_device
