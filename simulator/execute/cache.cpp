// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/cache.h"

#include "embedded/answers_c.h"
#include "embedded/context_h.h"
#include "embedded/groups_c.h"
#include "embedded/segments_c.h"
#include "embedded/step_c.h"
#include "embedded/warps_c.h"
#include "ir/builtins.h"
#include "ir/cuda/warp_size.h"
#include "ir/host.h"
#include "ir/sub_group_size.h"
#include "model/cache.h"
#include "model/files.h"
#include "simulator/execute/kept_code.h"

#include <cstdlib>
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/SHA256.h>
#include <stdexcept>

namespace gputest::simulator {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "gputest-simulator-5";
constexpr const char* kRunSeconds = "run_seconds";

// A file is this as a line of JSON, and then the object code.
struct KeptCode {
  std::map<std::string, std::string> dependencies{}; // digests by file
  ir::KernelShape shape{};
  std::size_t bytes = 0; // of the object code
  std::optional<double> full_seconds{};
  double run_seconds = 0;
  std::optional<GroupAccesses> accesses{}, checked_accesses{};
};
constexpr auto fields_of(const KeptCode*) {
  using T = KeptCode;
  return std::tuple{field("dependencies", &T::dependencies),
                    field("shape", &T::shape),
                    field("bytes", &T::bytes),
                    field("full_seconds", &T::full_seconds),
                    field(kRunSeconds, &T::run_seconds),
                    field("accesses", &T::accesses),
                    field("checked_accesses", &T::checked_accesses)};
}
using model::from_json, model::to_json;

std::string hash_of(llvm::SHA256& text) {
  const auto digest = text.final();
  std::string hex;
  for (const std::uint8_t byte : digest)
    hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string hash(const std::string& text) {
  llvm::SHA256 all;
  all.update(text);
  return hash_of(all);
}

// Each part has its size before it.
void add(llvm::SHA256& all, const std::string& part) {
  all.update(fmt::format("{}:", part.size()));
  all.update(part);
}

// What all names of this process begin with: code of another build of the simulator is not used,
// nor code for another processor. Hashing its texts takes longer than the rest of a name.
llvm::SHA256 begun_name() {
  static const llvm::SHA256 kBegun = [] {
    llvm::SHA256 all;
    for (const std::string& part :
         {model::state_of("/proc/self/exe"), std::string(LLVM_VERSION_STRING), ir::host_name(),
          std::string(embedded::context_h), std::string(embedded::groups_c),
          std::string(embedded::step_c), std::string(embedded::warps_c),
          std::string(embedded::answers_c), std::string(embedded::segments_c)})
      add(all, part);
    return all;
  }();
  return kBegun;
}

} // namespace

fs::path cache_folder() {
  const fs::path all = model::cache_folder();
  if (all.empty())
    return {};
  const fs::path folder = all / model::kCompiledKernels;
  std::error_code error;
  fs::create_directories(folder, error);
  return ::access(folder.c_str(), W_OK) == 0 ? folder : fs::path();
}

std::string content_name(const std::vector<std::string>& parts) {
  llvm::SHA256 all = begun_name();
  for (const std::string& part : parts)
    add(all, part);
  return hash_of(all);
}

fs::path Cache::file_of(const ir::Source& source, const CodeVariant& variant,
                        ir::Effort effort) const {
  const char* const sub_groups = std::getenv(ir::kSubGroupSize);
  std::vector<std::string> all{std::string(kFormat),
                               ir::libclc_file(),
                               variant.name(),
                               effort == ir::Effort::Quick ? "quick" : "full",
                               source.text,
                               source.cl_std,
                               source.device_code,
                               source.entry,
                               source.told.first,
                               source.told.second,
                               source.by_itself ? "by itself" : "",
                               fmt::format("warps {}", ir::wanted_warp_size()),
                               fmt::format("sub-groups {}", sub_groups ? sub_groups : "")};
  for (const auto* list : {&source.definitions, &source.include_directories, &source.options}) {
    all.push_back(std::to_string(list->size()));
    all.insert(all.end(), list->begin(), list->end());
  }
  return folder_ / (content_name(all) + ".code");
}

std::optional<Code> Cache::find(const ir::Source& source, const CodeVariant& variant,
                                ir::Effort effort) const {
  if (folder_.empty())
    return std::nullopt;
  const fs::path file = file_of(source, variant, effort);
  const std::optional<std::string> text = model::read_text(file);
  if (!text)
    return std::nullopt;
  try { // a line of JSON, then the object code
    const std::size_t end = text->find('\n');
    auto kept = model::parse_json(text->substr(0, end)).get<KeptCode>();
    for (const auto& [included, digest] : kept.dependencies) {
      const std::optional<std::string> now = model::read_text(included);
      if (!now || hash(*now) != digest)
        return std::nullopt;
    }
    Code code{.shape = std::move(kept.shape),
              .object = text->substr(end + 1),
              .full_seconds = kept.full_seconds,
              .run_seconds = kept.run_seconds,
              .accesses = std::move(kept.accesses),
              .checked_accesses = std::move(kept.checked_accesses)};
    if (code.object.size() != kept.bytes)
      return std::nullopt;
    model::mark_used(file);
    return code;
  } catch (const model::FormatError&) {
    return std::nullopt; // another program's file, or a damaged one
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void Cache::keep(const ir::Source& source, const CodeVariant& variant,
                 const std::vector<std::string>& dependencies, const Code& code,
                 ir::Effort effort) const {
  if (folder_.empty())
    return;
  KeptCode kept{.shape = code.shape,
                .bytes = code.object.size(),
                .full_seconds = code.full_seconds,
                .accesses = code.accesses,
                .checked_accesses = code.checked_accesses};
  for (const std::string& file : dependencies)
    kept.dependencies[file] = hash(model::read_text(file).value_or(""));
  try {
    model::write_atomically(
        file_of(source, variant, effort),
        model::Json(kept).dump(-1, ' ', false, model::Json::error_handler_t::replace) + '\n' +
            code.object);
    model::bound_cache();
  } catch (const std::runtime_error&) { // the disk is full: it will be compiled again
  }
}

void Cache::note_run(const ir::Source& source, const CodeVariant& variant, double seconds) const {
  if (folder_.empty())
    return;
  const fs::path file = file_of(source, variant, ir::Effort::Quick);
  const std::optional<std::string> text = model::read_text(file);
  if (!text)
    return;
  const std::size_t end = std::min(text->find('\n'), text->size());
  auto json = model::Json::parse(text->substr(0, end), nullptr, false);
  if (!json.is_object())
    return; // damaged
  json[kRunSeconds] = json.value(kRunSeconds, 0.0) + seconds;
  try {
    model::write_atomically(file, json.dump() + text->substr(end));
  } catch (const std::runtime_error&) { // the disk is full: it is as if the code had not run
  }
}

} // namespace gputest::simulator
