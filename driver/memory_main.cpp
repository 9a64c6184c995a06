// gputest-memory: says what makes kernels slow. gputest starts it.
#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "memory/json.h"
#include "memory/kernel.h"
#include "memory/text.h"
#include "model/files.h"

#include <cxxopts.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using namespace gputest;
using driver::CommandError;
using driver::Failed;
using driver::Held;
using driver::list_of;
using driver::run_command;
using driver::WrongInput;

cxxopts::Options all_options() {
  cxxopts::Options options("gputest memory",
                           "Runs test cases on the model of a GPU and says what makes them slow");
  options.positional_help("SOURCE");
  options.add_options()("k,kernel", "The kernel; default: the only one of the file",
                        cxxopts::value<std::string>()->default_value(""))(
      "case", "A file of test cases; may be repeated", cxxopts::value<std::vector<std::string>>())(
      "gpu", fmt::format("{}, or a file", fmt::join(memory::preset_names(), ", ")),
      cxxopts::value<std::string>()->default_value("embedded"))(
      "schedule", "Which warp goes on: round-robin, oldest or random",
      cxxopts::value<std::string>()->default_value("round-robin"))(
      "seed", "Of the random schedule", cxxopts::value<std::uint64_t>()->default_value("1"))(
      "overhead",
      "Exit with 1 if a case loses more than so many percent of its cycles to lines "
      "that warps evict of each other",
      cxxopts::value<double>()->default_value("100"))("json", "Write memory.json to this file",
                                                      cxxopts::value<std::string>())(
      "argument", "Of cases that do not give it: n=64", cxxopts::value<std::vector<std::string>>())(
      "global-size", "Of cases that give none: 64 or 64,8", cxxopts::value<std::string>())(
      "local-size", "Of cases that give none", cxxopts::value<std::string>());
  driver::add_source_options(options);
  return options;
}

void print(const memory::MemoryResult& result, const memory::Gpu& gpu) {
  const memory::ReferenceCoverage coverage = memory::coverage_of(result.cases);
  for (const memory::CaseReport& report : result.cases)
    fmt::print("{}{}{}\n", memory::warnings_text(report), memory::notes_text(report),
               memory::summary_text(report, result.kernel, gpu, result.choice));
  fmt::print("{} of {} references that may wait for memory were run\n", coverage.explored,
             coverage.total);
}

int run(int argc, char** argv) {
  cxxopts::Options options = all_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help")) {
    fmt::print("{}", options.help());
    return Held;
  }
  const passes::SourceOptions source = driver::source_options(arguments);
  const memory::Gpu gpu = memory::gpu_named(arguments["gpu"].as<std::string>());
  memory::MemoryResult result;
  result.gpu = gpu.name;
  result.choice = {.kind = memory::choice_named(arguments["schedule"].as<std::string>()),
                   .seed = arguments["seed"].as<std::uint64_t>()};
  const double most = arguments["overhead"].as<double>();
  if (!(most >= 0 && most <= 100))
    throw CommandError(
        fmt::format("error: --overhead is {}; it must be from 0 to 100 percent", most));
  if (!arguments.count("case"))
    throw CommandError("error: --case is missing: give a file of test cases");
  std::vector<fs::path> files;
  for (const std::string& file : list_of(arguments, "case"))
    files.emplace_back(file);
  const memory::Kernel kernel = memory::kernel_of(source, arguments["kernel"].as<std::string>());
  result.kernel = kernel.name();
  result.source = kernel.source.name;
  const std::vector<memory::NamedLaunch> launches =
      memory::launches_of(kernel, files,
                          {.global_size = driver::sizes_of(arguments, "global-size"),
                           .local_size = driver::sizes_of(arguments, "local-size"),
                           .arguments = list_of(arguments, "argument")});
  if (launches.empty())
    throw CommandError("error: the files of --case have no case");
  const memory::Tracer tracer(kernel.source, kernel.name());
  for (const memory::NamedLaunch& named : launches) {
    result.cases.push_back(
        memory::analyse(gpu, tracer.trace(named.launch, gpu.warp_size), named.name, result.choice));
    memory::add_static(result.cases.back(), tracer.classify(named.launch, gpu));
  }
  print(result, gpu);
  if (arguments.count("json"))
    model::write_atomically(arguments["json"].as<std::string>(),
                            model::pretty(memory::to_json(result), 3));
  const memory::CaseReport& worst = result.worst();
  if (worst.overhead_percent() <= most)
    return Held;
  fmt::print("case '{}' loses {:.1f} % of its cycles, more than {} %\n", worst.name,
             worst.overhead_percent(), most);
  return Failed;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "memory") {
    fmt::print(stderr, "gputest-memory: error: is for gputest to start: gputest --help\n");
    return WrongInput;
  }
  return run_command("memory", [&] {
    try {
      return run(argc - 1, argv + 1);
    } catch (const UsageError& error) {
      throw CommandError(error.what());
    } catch (const simulator::SourceError& error) {
      throw CommandError(error.what());
    } catch (const simulator::InputError& error) {
      throw CommandError(error.what());
    }
  });
}
