#include "program/program_mutation.h"

#include "model/files.h"
#include "program/mutant_run.h"
#include "runtime/mutation_selection.h"
#include "runtime/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::Mutant;
using model::MutantKind;
using model::MutantResult;
using model::Verdict;

constexpr int kSkipped = 77;

// What runs without a mutant say of one source.
struct Source {
  std::string stem, name;
  std::vector<fs::path> folders;                          // of its variants
  std::map<fs::path, std::vector<std::uint32_t>> reached; // bits of sites
  std::set<std::string> kernels;                          // launched
  std::string device;
};

class Run {
public:
  Run(const MutationSettings& settings,
      const std::function<void(std::size_t, std::size_t, const MutantResult&)>& progress)
      : settings_(settings), progress_(progress), run_(settings.run), store_(settings.store) {
    run_.measure = "mutants";
  }

  ProgramMutation run() {
    measure();
    if (all_.skipped)
      return std::move(all_);
    describe();
    run_items();
    for (model::Mutation& mutation : all_.sources)
      for (const MutantResult& result : mutation.results)
        if (result.verdict == Verdict::Survived && result.detail.starts_with(kWeakOracle))
          all_.weak.push_back(&result);
    return std::move(all_);
  }

private:
  struct Item {
    MutantResult* result;
    model::Mutation* mutation;
    std::string stem, program; // the store's key
  };

  ChildSettings child_of(const fs::path& folder, const std::string& mutant) const {
    ChildSettings child = settings_.child;
    child.environment["GPUTEST_RUN"] = folder.string();
    child.environment["GPUTEST_MUTANT"] = mutant;
    child.output = folder / "output.txt";
    return child;
  }

  // Without a mutant: which sites are reached, how many iterations loops take, how long it lasts,
  // and what varies by itself.
  void measure() {
    run_.trace = true;
    std::vector<double> seconds;
    for (unsigned i = 0; i < std::max(2u, settings_.baseline); ++i) {
      prepare_run_folder(settings_.run_folder, run_);
      const ChildResult result = run_child(child_of(settings_.run_folder, ""));
      const RunRecords records = read_run_folder(settings_.run_folder);
      if (result.exit_code == kSkipped && records.states.empty()) {
        all_.skipped = true;
        return;
      }
      if (!result.succeeded())
        throw BaselineFailed(fmt::format("{}; see {}", result.text(),
                                         (settings_.run_folder / "output.txt").string()));
      if (i == 0) {
        all_.not_measured = records.not_measured;
        first_seconds_ = result.seconds;
      }
      look(records);
      reads_.add(records.reads);
      seconds.push_back(result.seconds);
    }
    run_.trace = false;
    std::ranges::sort(seconds);
    seconds_ = seconds[(seconds.size() - 1) / 2];
    all_.reads = reads_.count();
    all_.varying = reads_.varying();
    if (sources_.empty())
      throw BaselineFailed("it launches no kernel that can be mutated");
    for (const auto& [kernel, count] : iterations_)
      run_.budgets[kernel] = runtime::loop_budget(count);
  }

  void look(const RunRecords& records) {
    for (const RecordedState& recorded : records.states) {
      const auto program = std::ranges::find_if(records.programs, [&](const BuiltSource& built) {
        return built.process == recorded.process && built.number == recorded.program;
      });
      const auto state = read_state_file(recorded.file);
      if (program == records.programs.end() || !state)
        continue;
      Source& source = sources_[program->stem];
      source.stem = program->stem;
      source.name = program->name;
      source.device = recorded.device;
      source.kernels.insert(recorded.kernel);
      if (std::ranges::find(source.folders, recorded.variant) == source.folders.end())
        source.folders.push_back(recorded.variant);
      const auto bits = runtime::read_reached(state->bytes, table_of(tables_, recorded.variant));
      auto& reached = source.reached[recorded.variant];
      reached.resize(std::max(reached.size(), bits.size()));
      for (std::size_t i = 0; i < bits.size(); ++i)
        reached[i] |= bits[i];
      std::uint32_t& iterations = iterations_[program->stem + "." + recorded.kernel];
      iterations = std::max(
          iterations,
          runtime::read_iterations(std::span(state->bytes).first(runtime::kStateHeaderBytes)));
    }
  }

  // Everything but the verdicts of those to run.
  void describe() {
    all_.sources.reserve(sources_.size()); // items point into it
    for (const auto& [stem, source] : sources_) {
      model::Mutation mutation;
      mutation.name = sources_.size() == 1 ? settings_.name : settings_.name + "." + stem;
      for (const std::string& kernel : source.kernels)
        mutation.kernel += (mutation.kernel.empty() ? "" : ", ") + kernel;
      mutation.device = source.device;
      mutation.cases = {settings_.name};
      mutation.operators = settings_.operators;
      mutation.repeat = 1;
      mutation.threshold = settings_.threshold;
      mutation.deterministic = all_.varying == 0;
      const std::vector<Mutant> mutants = selected(source, mutation);
      for (const Mutant& mutant : mutants) {
        if (!mutation.sources.contains(mutant.file))
          mutation.sources[mutant.file] = source_text(mutant.file);
        mutation.results.push_back(without_run(mutant, source));
      }
      mutation.source = mutants.empty() ? source.name : mutants.front().file;
      all_.sources.push_back(std::move(mutation));
      add_items(source, all_.sources.back());
    }
  }

  std::vector<Mutant> selected(const Source& source, model::Mutation& mutation) {
    const std::set<std::string> operators(settings_.operators.begin(), settings_.operators.end());
    const std::set<std::string> ids(settings_.mutants.begin(), settings_.mutants.end());
    std::vector<Mutant> mutants;
    std::set<std::string> known;
    for (const fs::path& folder : source.folders) {
      const model::MutantTable& table = table_of(tables_, folder);
      for (const auto& entry : table.not_mutated)
        if (std::ranges::find(mutation.not_mutated, entry) == mutation.not_mutated.end())
          mutation.not_mutated.push_back(entry);
      for (const Mutant& mutant : table.mutants) {
        const bool is_made = std::ranges::any_of(
            mutant.operators, [&](const std::string& name) { return operators.contains(name); });
        if (mutant.kind != MutantKind::Launch && is_made &&
            (ids.empty() || ids.contains(mutant.id)) && known.insert(mutant.id).second)
          mutants.push_back(mutant);
      }
    }
    mutation.population = mutants.size();
    if (settings_.sample) {
      mutation.sample_seed = settings_.seed;
      std::vector<const Mutant*> drawn;
      for (const Mutant& mutant : mutants)
        drawn.push_back(&mutant);
      std::vector<Mutant> sample;
      for (const Mutant* mutant : runtime::draw(drawn, *settings_.sample, settings_.seed))
        sample.push_back(*mutant);
      mutants = std::move(sample);
    }
    std::set<std::string> chosen;
    for (const Mutant& mutant : mutants)
      chosen.insert(mutant.id);
    for (Mutant& mutant : mutants)
      if (!chosen.contains(mutant.duplicate_of))
        mutant.duplicate_of.clear(); // the one it equals is not run
    return mutants;
  }

  std::string source_text(const std::string& file) const {
    for (const fs::path& root : {settings_.run.source_root, settings_.run_folder / "sources"})
      if (auto text = model::read_text(root / file))
        return *std::move(text);
    return "";
  }

  bool is_reached(const Mutant& mutant, const Source& source) {
    for (const fs::path& folder : source.folders) {
      const model::MutantTable& table = table_of(tables_, folder);
      const Mutant* here = table.find(mutant.id);
      if (!here)
        continue;
      const auto calls = [&](const std::string& kernel) {
        return runtime::is_reachable(table, kernel, here->function);
      };
      if (here->kind == MutantKind::Switched
              ? runtime::is_reached(source.reached.at(folder), here->site)
              : std::ranges::any_of(source.kernels, calls))
        return true;
    }
    return false;
  }

  MutantResult without_run(const Mutant& mutant, const Source& source) {
    MutantResult result;
    result.mutant = mutant;
    result.verdict = mutant.ignored                 ? Verdict::Ignored
                     : mutant.equivalent            ? Verdict::Equivalent
                     : !mutant.duplicate_of.empty() ? Verdict::Duplicate
                     : is_reached(mutant, source)   ? Verdict::Survived
                                                    : Verdict::NoCoverage;
    result.detail = mutant.ignored                ? mutant.ignore_reason
                    : mutant.duplicate_of.empty() ? ""
                                                  : "of " + mutant.duplicate_of;
    if (result.verdict == Verdict::Survived) // not yet known
      result.reached_by = {settings_.name};
    return result;
  }

  void add_items(const Source& source, model::Mutation& mutation) {
    const std::string program = program_key(source);
    for (MutantResult& result : mutation.results)
      if (result.verdict == Verdict::Survived)
        items_.push_back({&result, &mutation, source.stem, program});
  }

  // Everything that a verdict depends on, as far as it can be seen from here: the mutants, the
  // command, and the files that the command names.
  std::string program_key(const Source& source) const {
    nlohmann::ordered_json key{{"format", "program 1"},
                               {"command", settings_.child.command},
                               {"device", source.device},
                               {"timeout_factor", settings_.timeout_factor},
                               {"mutants", nlohmann::ordered_json::array()},
                               {"files", nlohmann::ordered_json::array()}};
    for (const fs::path& folder : source.folders)
      key["mutants"].push_back(
          store::content_hash(model::read_text(folder / "mutants.cl").value_or("")));
    for (const std::string& word : settings_.child.command)
      if (fs::is_regular_file(word))
        key["files"].push_back(store::content_hash(model::read_text(word).value_or("")));
    return store::content_hash(
        key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  void run_items() {
    std::map<std::string, std::map<std::string, store::Outcome>> known;
    std::vector<Item> left;
    for (const Item& item : items_) {
      if (!settings_.fresh && !known.contains(item.program))
        for (const store::Outcome& outcome : store_.outcomes(item.program))
          known[item.program][outcome.mutant] = outcome;
      const auto& of_program = known[item.program];
      const auto found = of_program.find(item.result->mutant.id);
      if (settings_.fresh || found == of_program.end())
        left.push_back(item);
      else
        fill(item, found->second);
    }
    const std::size_t before = items_.size() - left.size();
    const auto start = std::chrono::steady_clock::now();
    Children children;
    std::size_t next = 0, done = before;
    while (next < left.size() || children.count() > 0) {
      while (next < left.size() && children.count() < settings_.jobs) {
        begin(children, next, left[next]);
        ++next;
      }
      const auto [number, result] = children.wait();
      end(left[number], number, result);
      progress_(++done, items_.size(), *left[number].result);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    for (model::Mutation& mutation : all_.sources)
      mutation.seconds = took.count() / static_cast<double>(all_.sources.size());
  }

  fs::path folder_of(std::size_t number) const {
    return settings_.run_folder.parent_path() / "mutants" / std::to_string(number);
  }

  void begin(Children& children, std::size_t number, const Item& item) {
    const Mutant& mutant = item.result->mutant;
    prepare_run_folder(folder_of(number), run_);
    ChildSettings child = child_of(folder_of(number), item.stem + "/" + mutant.id);
    child.timeout = std::max(runtime::kShortestLimit, settings_.timeout_factor * seconds_);
    if (mutant.kind == MutantKind::Program) // is compiled first
      child.timeout += settings_.timeout_factor * first_seconds_;
    children.start(number, child);
  }

  void end(const Item& item, std::size_t number, const ChildResult& result) {
    const fs::path folder = folder_of(number);
    const RunVerdict verdict =
        judge(item.result->mutant, result, read_run_folder(folder), run_.budgets, reads_, tables_);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    store::Outcome outcome;
    outcome.mutant = item.result->mutant.id;
    outcome.test_case = store::content_hash(settings_.name);
    outcome.runs = 1;
    outcome.verdict = verdict.verdict;
    outcome.noticed = verdict.verdict == Verdict::Killed || verdict.verdict == Verdict::Timeout;
    outcome.reason = verdict.reason;
    outcome.detail = verdict.detail;
    outcome.seconds = result.seconds;
    store_.put(item.program, outcome);
    fill(item, outcome);
    ++item.mutation->executed;
  }

  void fill(const Item& item, const store::Outcome& outcome) const {
    MutantResult& result = *item.result;
    result.verdict = outcome.verdict;
    result.reason = outcome.reason;
    result.detail = outcome.detail;
    result.runs = outcome.runs;
    result.seconds = outcome.seconds;
    if (outcome.noticed > 0)
      result.killed_by = {settings_.name};
  }

  const MutationSettings& settings_;
  const std::function<void(std::size_t, std::size_t, const MutantResult&)>& progress_;
  RunSettings run_;
  store::Store store_;
  MutantTables tables_;
  std::map<std::string, Source> sources_; // by stem
  std::map<std::string, std::uint32_t> iterations_;
  ReadBaseline reads_;
  double seconds_ = 0, first_seconds_ = 0;
  std::vector<Item> items_;
  ProgramMutation all_;
};

} // namespace

ProgramMutation
run_mutants(const MutationSettings& settings,
            const std::function<void(std::size_t, std::size_t, const MutantResult&)>& progress) {
  return Run(settings, progress).run();
}

} // namespace gputest::program
