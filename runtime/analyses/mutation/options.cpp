#include "runtime/analyses/mutation/options.h"

#include "gputest/error.h"

#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kNames[] = {"all-cases", "fresh",     "no-simulator",  "operators", "mutant",
                                  "since",     "sample",    "seed",          "shard",     "repeat",
                                  "store",     "threshold", "timeout-factor"};

template <typename Value>
std::optional<Value> given(const cxxopts::ParseResult& result, const std::string& name) {
  if (result.count(name) == 0)
    return std::nullopt;
  return result[name].as<Value>();
}

bool is_for_schedules(std::string_view name) {
  return name == "repeat" || name == "seed";
}

// "2/8".
Shard shard_of(const std::string& text) {
  Shard shard;
  char rest = 0;
  const bool is_shard =
      std::sscanf(text.c_str(), "%9u/%9u%c", &shard.number, &shard.of, &rest) == 2;
  if (!is_shard || shard.number < 1 || shard.number > shard.of)
    throw UsageError(fmt::format("--shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
  return shard;
}

} // namespace

void add_mutation_options(cxxopts::Options& parser) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  const auto number = [] { return cxxopts::value<unsigned>(); };
  parser.add_options("Mutation")("mutation", "run the mutants and write mutation.json") //
      ("operators", "only mutants of these: names, conventional, gpu, all", text(),
       "NAME,…")                                                                             //
      ("mutant", "only this mutant; may be repeated", cxxopts::value<Texts>(), "ID")         //
      ("since", "only mutants on lines changed since this git ref", text(), "REF")           //
      ("sample", "only so many mutants, drawn by --seed", number(), "N")                     //
      ("seed", "of the sample, or of --schedules; default 1", number(), "N")                 //
      ("shard", "only the K-th of N parts", text(), "K/N")                                   //
      ("repeat", "runs of each case for each mutant, or schedule; default 3", number(), "N") //
      ("timeout-factor", "time limit of a mutant, in times of the original; default 10",
       cxxopts::value<double>(), "F")                                                      //
      ("threshold", "exit 1 when fewer percent are killed", cxxopts::value<double>(), "P") //
      ("all-cases", "run all cases, also after a kill")                                    //
      ("store", "of outcomes; default: results.db beside the kernel's folder", text(),
       "FILE")                                                      //
      ("fresh", "run everything, whatever is stored")               //
      ("no-simulator", "do not look at survivors in the simulator") //
      ("verify", "run N mutants (default: all) in one kernel and each alone: same verdicts?",
       number()->implicit_value("0"), "N");
}

std::vector<std::string> with_joined_values(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
    if (!words.empty() && (words.back() == "--verify" || words.back() == "--schedules") &&
        is_number && !word.empty())
      words.back() += "=" + word;
    else if (!words.empty() && words.back() == "--check" && !word.empty() && word[0] != '-')
      words.back() += "=" + word;
    else
      words.push_back(word);
  }
  return words;
}

MutationOptions read_mutation_options(const cxxopts::ParseResult& result) {
  MutationOptions options;
  options.verify = given<unsigned>(result, "verify");
  options.run = result.count("mutation") != 0 || options.verify;
  for (const char* name : kNames)
    if (!options.run && result.count(name) != 0 &&
        !(is_for_schedules(name) &&
          (result.count("schedules") != 0 || result.count("schedule") != 0)))
      throw UsageError(fmt::format("--{} is for --mutation", name));
  options.all_cases = result.count("all-cases") != 0;
  options.fresh = result.count("fresh") != 0;
  options.no_simulator = result.count("no-simulator") != 0;
  options.operators = given<std::string>(result, "operators");
  options.mutants = given<Texts>(result, "mutant").value_or(Texts{});
  options.since = given<std::string>(result, "since");
  options.sample = given<unsigned>(result, "sample");
  options.seed = given<unsigned>(result, "seed");
  if (const auto text = given<std::string>(result, "shard"))
    options.shard = shard_of(*text);
  options.repeat = given<unsigned>(result, "repeat");
  options.timeout_factor = given<double>(result, "timeout-factor");
  options.threshold = given<double>(result, "threshold");
  options.store = given<std::string>(result, "store").value_or("");
  return options;
}

} // namespace gputest::runtime
