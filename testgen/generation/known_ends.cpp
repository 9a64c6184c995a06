// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/known_ends.h"

#include "model/files.h"
#include "model/json.h"
#include "simulator/execute/cache.h"
#include "testgen/solve/z3_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using model::Json, model::field, model::from_json, model::to_json;

// Compiling takes part of a budget, and not always the same.
constexpr double kAboutAsLong = 0.9;

void add_all(std::vector<std::string>& parts, const std::vector<std::string>& more) {
  parts.push_back(std::to_string(more.size()));
  parts.insert(parts.end(), more.begin(), more.end());
}

void add_sizes(std::vector<std::string>& parts, const std::vector<std::size_t>& sizes) {
  parts.push_back(std::to_string(sizes.size()));
  for (const std::size_t size : sizes)
    parts.push_back(std::to_string(size));
}

// Everything that proofs depend on.
std::vector<std::string> kernel_parts(const Target& target, const Settings& settings,
                                      bool offsets) {
  const ir::Source& source = target.original;
  std::vector<std::string> parts{
      "gputest-ends-1", source.text,   target.instrumented.text,
      target.kernel(),  source.cl_std, source.device_code}; // of CUDA, whose text includes files
  for (const auto* list : {&source.definitions, &source.include_directories, &source.options,
                           &settings.arguments, &settings.requirements})
    add_all(parts, *list);
  for (const auto* sizes : {&settings.global_size, &settings.local_size})
    add_sizes(parts, *sizes);
  parts.push_back(offsets ? "with offsets" : "without offsets");
  parts.push_back(target.mutants ? target.mutants->text : "");
  if (target.mutants) // a bit of the outcome is the place of a mutant among these
    for (const model::Mutant* const mutant : target.mutants->goals_of(target.kernel()))
      parts.push_back(mutant->id);
  return parts;
}

// Returns the parts of the key for searches: those of the kernel and the settings of searches.
std::vector<std::string> search_parts(const Target& target, const Settings& settings,
                                      bool offsets) {
  std::vector<std::string> parts = kernel_parts(target, settings, offsets);
  for (const model::Criterion criterion : settings.criteria)
    parts.push_back(fmt::format("criterion {}", static_cast<int>(criterion)));
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string("-");
  };
  parts.push_back(fmt::format(
      "seed {}, cases {}, recorded {}, tolerance {} {} {}", settings.seed, settings.most_cases,
      settings.record, number(settings.tolerance.absolute), number(settings.tolerance.relative),
      settings.tolerance.ulp ? std::to_string(*settings.tolerance.ulp) : std::string("-")));
  parts.push_back(solver_program());
  parts.push_back(fmt::format("shared memory of cases {}", settings.case_shared_memory));
  for (const auto* sizes :
       {&settings.case_global_size, &settings.case_local_size, &settings.case_global_offset})
    add_sizes(parts, *sizes);
  return parts;
}

// The cases and the arrays beside them that they name.
std::string name_of_cases(const std::vector<fs::path>& cases) {
  std::vector<std::string> parts;
  std::set<fs::path> named;
  for (const fs::path& file : cases) {
    parts.push_back(model::read_text(file).value_or(""));
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path(), ignored))
      if (const std::string name = entry.path().filename().string();
          entry.path().extension() == ".npy" && parts.back().find(name) != std::string::npos)
        named.insert(entry.path());
  }
  for (const fs::path& array : named)
    parts.push_back(array.filename().string() + '\n' + model::read_text(array).value_or(""));
  return simulator::content_name(parts);
}

// What a run could not reach. `cases`: the name of those that it ended with.
struct GivenUp {
  double seconds = 0;
  std::string cases;
  Reasons goals;
};
constexpr auto fields_of(const GivenUp*) {
  using T = GivenUp;
  return std::tuple{field("seconds", &T::seconds), field("cases", &T::cases),
                    field("goals", &T::goals)};
}

template <typename T> std::optional<T> read(const fs::path& file) {
  if (file.empty())
    return std::nullopt;
  try {
    return Json::parse(model::read_text(file).value_or("")).get<T>();
  } catch (const std::exception&) { // it is not there, or damaged
    return std::nullopt;
  }
}

void write(const fs::path& file, const Json& json) {
  if (file.empty())
    return;
  try {
    model::write_atomically(file, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (const std::runtime_error&) { // the disk is full: it will be looked for again
  }
}

} // namespace

KnownEnds::KnownEnds(const Target& target, const Settings& settings, bool offsets)
    : seconds_(settings.seconds) {
  const fs::path folder = simulator::cache_folder();
  if (folder.empty())
    return;
  proofs_ = folder / (simulator::content_name(kernel_parts(target, settings, offsets)) + ".proofs");
  given_up_ = folder / (simulator::content_name(search_parts(target, settings, offsets)) + ".ends");
}

Reasons KnownEnds::proofs() const {
  return read<Reasons>(proofs_).value_or(Reasons());
}

void KnownEnds::keep_proofs(const Reasons& proofs) const {
  Reasons all = this->proofs();
  const std::size_t known = all.size();
  all.insert(proofs.begin(), proofs.end());
  if (all.size() > known)
    write(proofs_, all);
}

std::optional<Reasons> KnownEnds::given_up(const std::vector<fs::path>& cases) const {
  std::optional<GivenUp> run = read<GivenUp>(given_up_);
  if (!run || run->seconds < kAboutAsLong * seconds_ || run->cases != name_of_cases(cases))
    return std::nullopt;
  return std::move(run->goals);
}

void KnownEnds::keep_given_up(const Reasons& reasons, const std::vector<fs::path>& cases) const {
  write(given_up_, GivenUp{.seconds = seconds_, .cases = name_of_cases(cases), .goals = reasons});
}

} // namespace gputest::testgen
