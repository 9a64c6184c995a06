// The options of a harness that belong to --mutation; docs/command-line.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cxxopts {
class Options;
class ParseResult;
} // namespace cxxopts

namespace gputest::runtime {

// A part of the work, for several machines or CTest nodes.
struct Shard {
  unsigned number = 1, of = 1;
};

// What is not given is as described (gputest::Mutation).
struct MutationOptions {
  bool run = false;
  bool all_cases = false, fresh = false;
  bool no_simulator = false;              // for survivors
  std::optional<std::string> operators{}; // names separated by commas
  std::vector<std::string> mutants{};     // ids; empty: all
  std::optional<std::string> since{};     // git ref
  std::optional<unsigned> sample{}, seed{};
  std::optional<Shard> shard{};
  std::optional<unsigned> repeat{};
  std::optional<double> timeout_factor{}, threshold{};
  std::filesystem::path store{};    // empty: as described
  std::optional<unsigned> verify{}; // so many mutants; 0: all
};

void add_mutation_options(cxxopts::Options& parser);

// The command line with "--verify 5" as "--verify=5", and so with --schedules: the parser gives
// options that may stand alone no value otherwise.
std::vector<std::string> with_joined_values(int argc, const char* const* argv);

// Throws UsageError for values out of range, and for those given without --mutation (--verify
// brings it along). --repeat and --seed are for --schedules, too.
MutationOptions read_mutation_options(const cxxopts::ParseResult& result);

} // namespace gputest::runtime
