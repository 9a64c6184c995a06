// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/patches/patches.h"

#include "frontend/file_names.h"
#include "frontend/languages/languages.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "memory/local_sizes.h"
#include "memory/patches/candidates.h"
#include "memory/text.h"
#include "memory/what_if.h"
#include "model/files.h"
#include "passes/mutation/patch.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gputest::memory {
namespace {

namespace fs = std::filesystem;
using passes::mutation::PatchedFile;

// Seconds of one run: of the kernel as it is, and of a changed one beside ten times what that took.
constexpr double kFirstRun = 5, kChangedRun = 3;

// The copy of a changed file cannot be written.
struct NoCopy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint64_t accesses_of(std::span<const CaseReport> reports) {
  std::uint64_t accesses = 0;
  for (const CaseReport& report : reports)
    for (const ReferenceCount& count : report.count.references)
      accesses += count.work_items;
  return accesses;
}

Wanted wanted_of(const Gpu& gpu, const Kernel& kernel, std::span<const CaseReport> reports) {
  Wanted wanted{.kernel = kernel.name()};
  if (gpu.local_memory)
    wanted.bank_row = gpu.local_memory->banks * gpu.local_memory->bank_bytes;
  for (const CaseReport& report : reports)
    for (const Warning& warning : report.warnings) {
      if (warning.kind == Warning::Kind::BankConflicts)
        wanted.conflicting.insert(report.places[warning.place].variable);
      wanted.uncoalesced = wanted.uncoalesced || warning.kind == Warning::Kind::Transactions;
    }
  return wanted;
}

// A change whose kernel has run.
struct Tried {
  const Candidate* candidate = nullptr;
  std::vector<passes::mutation::TextChange> changes{};
  std::vector<PatchedFile> files{};
  Cycles cycles = 0; // of all cases
};

class Verifier {
public:
  Verifier(const Gpu& gpu, frontend::SourceOptions source, const Kernel& kernel,
           const Tracer& tracer, std::span<const NamedLaunch> launches,
           std::span<const CaseReport> reports, const PatchTime& time)
      : gpu_(gpu), source_(std::move(source)), kernel_(kernel), tracer_(tracer),
        launches_(launches), reports_(reports), time_(time), begin_(time.clock()) {
    for (const CaseReport& report : reports)
      before_ += report.count.cycles;
  }

  Patches run() {
    const Wanted wanted = wanted_of(gpu_, kernel_, reports_);
    if (wanted.conflicting.empty() && !wanted.uncoalesced)
      return {};
    const auto none = [](std::string_view why) {
      return Patches{.note = fmt::format("no patches were looked for: {}", why)};
    };
    const std::vector<Candidate> all = proposed(wanted);
    if (!unread_.empty())
      return none(unread_);
    if (all.empty())
      return {};
    if (accesses_of(reports_) * (all.size() + 1) > kMostPatchedAccesses)
      return none(
          fmt::format("the runs would have more than {} accesses", grouped(kMostPatchedAccesses)));
    if (is_late())
      return none("there is no time for them");
    if (!run_original())
      return none("the kernel runs too long");
    try {
      return tried(all);
    } catch (const NoCopy& error) {
      return none(error.what());
    }
  }

private:
  double used() const { return time_.clock() - begin_; }
  bool is_late() const { return used() + of_run_ > time_.seconds; }

  // Returns false if the kernel does not end in time.
  bool run_original() {
    const double before = used();
    try {
      for (const NamedLaunch& named : launches_) {
        TracedLaunch launch = named.launch;
        launch.limit = kFirstRun;
        tracer_.trace(launch, gpu_.warps(), &expected_.emplace_back());
      }
    } catch (const ir::InputError&) {
      return false;
    }
    of_run_ = used() - before;
    return true;
  }

  Patches tried(const std::vector<Candidate>& all) {
    std::map<std::string, Tried> best; // by variable
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_late())
        return {.found = patches_of(best),
                .note =
                    fmt::format("{} of {} changes were not tried as patches, because that would "
                                "take more than {:.1f} s",
                                all.size() - i, all.size(), time_.seconds)};
      if (std::optional<Tried> tried = run_with(all[i], all[i].changes)) {
        const auto known = best.find(all[i].variable);
        if (known == best.end() || tried->cycles < known->second.cycles)
          best[all[i].variable] = std::move(*tried);
      }
    }
    if (in_header_)
      return {.found = patches_of(best),
              .note = "changes of files that the source includes are not tried as patches"};
    return {.found = patches_of(best)};
  }

  // The tree is needed only for this.
  std::vector<Candidate> proposed(const Wanted& wanted) {
    auto flat = frontend::read_file(source_);
    if (!flat) {
      not_read(flat.takeError());
      return {};
    }
    flat_ = std::move(*flat);
    if (flat_.tokens.empty()) // a module has no text
      return {};
    std::vector<Candidate> all;
    not_read(frontend::parse_file(flat_, source_, [&](const frontend::Tree& tree) {
      all = candidates(tree, wanted);
      return llvm::Error::success();
    }));
    return all;
  }

  // The source of a program's launch may need options that the program was compiled with.
  void not_read(llvm::Error error) {
    const std::string text = llvm::toString(std::move(error));
    unread_ = text.substr(0, text.find('\n'));
  }

  // Returns nothing if the change does not help, or changes results.
  std::optional<Tried> run_with(const Candidate& candidate,
                                std::vector<passes::mutation::TextChange> changes) {
    Tried tried{.candidate = &candidate, .changes = std::move(changes)};
    auto files = passes::mutation::patched(flat_, tried.changes);
    if (!files) {
      llvm::consumeError(files.takeError());
      return std::nullopt;
    }
    tried.files = std::move(*files);
    // Only one file is compiled from a copy.
    if (tried.files.size() != 1 || !is_source(tried.files.front().path)) {
      in_header_ = true;
      return std::nullopt;
    }
    try {
      const std::optional<Cycles> cycles = cycles_of(tried);
      if (!cycles || gain(before_, *cycles) < kLeastGain)
        return std::nullopt;
      tried.cycles = *cycles;
    } catch (const UsageError&) { // a pointer to the array has another type, for example
      return std::nullopt;
    } catch (const ir::SourceError&) {
      return std::nullopt;
    } catch (const ir::InputError&) { // the kernel fails
      return std::nullopt;
    }
    return tried;
  }

  bool is_source(const std::string& path) const {
    std::error_code ignored;
    return fs::equivalent(path, source_.file, ignored);
  }

  static double gain(Cycles before, Cycles after) {
    return 100 * (static_cast<double>(before) - static_cast<double>(after)) /
           static_cast<double>(before);
  }

  static process::ScratchFolder new_folder() {
    try {
      return process::ScratchFolder("gputest-patch");
    } catch (const fs::filesystem_error& error) {
      throw NoCopy(error.what());
    }
  }

  // Returns nothing if a group does not fit into a core.
  std::optional<Cycles> cycles_on(const LaunchTrace& trace, const WarpChoice& choice) const {
    try {
      return memory::run(gpu_, trace, {.choice = choice}).cycles;
    } catch (const model::FormatError&) {
      return std::nullopt;
    }
  }

  // Returns the cycles of all cases, or nothing if results differ or a case becomes slower.
  std::optional<Cycles> cycles_of(const Tried& tried) const {
    const process::ScratchFolder folder = new_folder();
    frontend::SourceOptions other = source_;
    other.file = (folder.path() / fs::path(source_.file).filename()).string();
    other.source_root.clear();
    other.include_directories.insert(other.include_directories.begin(),
                                     fs::absolute(source_.file).parent_path().string());
    try {
      model::write_atomically(other.file, tried.files.front().after);
    } catch (const model::WriteError& error) {
      throw NoCopy(error.what());
    }
    const Kernel changed = kernel_of(other, kernel_.name());
    const Tracer tracer(changed.source, changed.name());
    Cycles cycles = 0;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      TracedLaunch launch = launches_[i].launch;
      launch.limit = kChangedRun + 10 * of_run_;
      if (tried.candidate->swaps_dimensions) {
        if (launch.sizes.dimensions < 2)
          return std::nullopt;
        std::swap(launch.sizes.global[0], launch.sizes.global[1]);
        std::swap(launch.sizes.local[0], launch.sizes.local[1]);
        std::swap(launch.sizes.offset[0], launch.sizes.offset[1]);
      }
      std::vector<std::byte> results;
      const LaunchTrace trace = tracer.trace(launch, gpu_.warps(), &results);
      if (results != expected_[i] || leaves_an_object(trace))
        return std::nullopt;
      const std::optional<Cycles> own = cycles_on(trace, reports_[i].choice);
      if (!own || gain(reports_[i].count.cycles, *own) <= -kLeastGain)
        return std::nullopt;
      cycles += *own;
    }
    return cycles;
  }

  std::vector<Patch> patches_of(const std::map<std::string, Tried>& best) {
    std::vector<const Tried*> arrays;
    std::vector<Patch> patches;
    for (const auto& [variable, tried] : best)
      if (variable.empty())
        patches.push_back(patch_of(tried, tried.candidate->text));
      else
        arrays.push_back(&tried);
    std::ranges::stable_sort(arrays, {}, [](const Tried* one) { return one->cycles; });
    std::optional<Tried> together;
    std::string text;
    for (const Tried* const one : arrays) {
      if (!together) {
        together = *one;
        text = one->candidate->text;
        continue;
      }
      if (is_late())
        break;
      std::vector<passes::mutation::TextChange> changes = together->changes;
      changes.insert(changes.end(), one->changes.begin(), one->changes.end());
      std::optional<Tried> more = run_with(*one->candidate, std::move(changes));
      if (more && gain(together->cycles, more->cycles) >= kLeastGain) {
        together = std::move(more);
        text += ", and " + one->candidate->text;
      }
    }
    if (together)
      patches.push_back(patch_of(*together, text));
    std::ranges::stable_sort(patches, {}, &Patch::after);
    return patches;
  }

  Patch patch_of(const Tried& tried, const std::string& text) const {
    return {.text = text,
            .diff =
                passes::mutation::diff_of(tried.files, frontend::FileNames(source_.source_root)),
            .before = before_,
            .after = tried.cycles,
            .cases = launches_.size(),
            .swaps_launch = tried.candidate->swaps_dimensions};
  }

  const Gpu& gpu_;
  const frontend::SourceOptions source_;
  const Kernel& kernel_;
  const Tracer& tracer_;
  std::span<const NamedLaunch> launches_;
  std::span<const CaseReport> reports_;
  const PatchTime& time_;
  const double begin_;
  double of_run_ = 0; // seconds that the kernel as it is takes for all cases
  bool in_header_ = false;
  std::string unread_; // why the source cannot be read; empty: it can
  frontend::FlatSource flat_;
  std::vector<std::vector<std::byte>> expected_; // by launch
  Cycles before_ = 0;
};

} // namespace

double Patch::gain_percent() const {
  return before == 0 ? 0
                     : 100 * (static_cast<double>(before) - static_cast<double>(after)) /
                           static_cast<double>(before);
}

Patches verified_patches(const Gpu& gpu, const frontend::SourceOptions& source,
                         const Kernel& kernel, const Tracer& tracer,
                         std::span<const NamedLaunch> launches, std::span<const CaseReport> reports,
                         const PatchTime& time) {
  return Verifier(gpu, source, kernel, tracer, launches, reports, time).run();
}

std::string patch_text(const Patch& patch) {
  return fmt::format(
      "patch: {}: {:+.1f} % cycles, {} instead of {}; the same results in {} case{}\n"
      "{}{}",
      patch.text, -patch.gain_percent(), grouped(std::uint64_t{patch.after}),
      grouped(std::uint64_t{patch.before}), patch.cases, patch.cases == 1 ? "" : "s",
      patch.swaps_launch ? "  launches must swap their first two global sizes, local "
                           "sizes and offsets\n"
                         : "",
      patch.diff);
}

} // namespace gputest::memory
