#include "layer/settings.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gputest::layer {

std::optional<Settings> settings_from_environment() {
  const char* folder = std::getenv("GPUTEST_RUN");
  if (!folder || !*folder)
    return std::nullopt;
  try {
    Settings settings;
    settings.run_folder = std::filesystem::absolute(folder);
    std::ifstream stream(settings.run_folder / "settings.json", std::ios::binary);
    if (!stream)
      return std::nullopt;
    const auto json = nlohmann::ordered_json::parse(stream);
    settings.cache = json.at("cache").get<std::string>();
    settings.driver = json.at("driver").get<std::string>();
    settings.source_root = json.at("source_root").get<std::string>();
    for (const auto& file : json.at("kernel_files"))
      settings.kernel_files.emplace_back(file.get<std::string>());
    for (const auto& file : json.at("host_files"))
      settings.host_files.emplace_back(file.get<std::string>());
    settings.exclude = json.at("exclude").get<std::vector<std::string>>();
    settings.only_kernel_files = json.at("only_kernel_files").get<bool>();
    const auto measure = json.at("measure").get<std::string>();
    settings.measure = measure_named(measure);
    if (!settings.measure) {
      fmt::print(stderr,
                 "{}: error: the layer knows no measure '{}': use the gputest command that it "
                 "came with\n",
                 (settings.run_folder / "settings.json").string(), measure);
      return std::nullopt;
    }
    if (const auto& schedule = json.at("schedule"); !schedule.is_null())
      settings.schedule = model::schedule_from_json(schedule);
    if (const auto& simulator = json.at("simulator"); !simulator.is_null())
      settings.simulator = runtime::simulated_program_from_json(simulator);
    settings.each_launch = json.at("each_launch").get<bool>();
    settings.reads = json.at("reads").get<bool>();
    settings.only_kernels = json.at("only_kernels").get<std::set<std::string>>();
    settings.order = json.at("order").get<unsigned>();
    settings.keep_reads = json.at("keep_reads").get<std::set<std::size_t>>();
    settings.max_cases = json.at("max_cases").get<std::size_t>();
    settings.max_bytes = json.at("max_bytes").get<std::size_t>();
    settings.trace = json.at("trace").get<bool>();
    for (const auto& trial : json.at("trials"))
      settings.trials.push_back({trial.at("source").get<std::string>(),
                                 trial.at("mutant").get<std::string>(),
                                 trial.at("order").get<unsigned>()});
    settings.trial_seconds = json.at("trial_seconds").get<std::map<std::string, double>>();
    settings.budgets = json.at("budgets").get<std::map<std::string, std::uint32_t>>();
    settings.harm = json.at("harm").get<std::map<std::string, std::vector<std::uint32_t>>>();
    const char* mutant = std::getenv("GPUTEST_MUTANT");
    const std::string chosen = mutant ? mutant : "";
    const std::size_t slash = chosen.rfind('/');
    if (slash != std::string::npos) {
      settings.stem = chosen.substr(0, slash);
      settings.mutant = chosen.substr(slash + 1);
    }
    return settings;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace gputest::layer
