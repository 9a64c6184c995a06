// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/nvrtc/kept_result.h"

#include "model/files.h"
#include "model/sources.h"
#include "simulator/cuda/codec.h"

#include <algorithm>
#include <initializer_list>
#include <unistd.h>

namespace gputest::cuda::nvrtc {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;
using simulator::cuda::Reader, simulator::cuda::Writer;

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(
      words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

// What names the time of its compilation is compiled each time.
bool names_the_time(const std::string& text) {
  return has_any(text, {"__DATE__", "__TIME__", "__TIMESTAMP__"});
}

} // namespace

KeptResults::KeptResults(const std::vector<std::string>& parts)
    : parts_(Writer().put(parts).message()) {
  const fs::path cache = model::cache_folder();
  // A header that does not exist is in no list of files.
  if (cache.empty() || names_the_time(parts_) || has_any(parts_, {"__has_include"}))
    return;
  std::error_code error;
  const fs::path folder = fs::absolute(cache / model::kCompiledTexts, error);
  fs::create_directories(folder, error);
  if (fs::is_directory(folder, error))
    results_.emplace(folder, model::digest_of(parts_), ".nvrtc");
}

std::optional<Result> KeptResults::find() const {
  const auto file = results_ ? results_->find() : std::nullopt;
  const auto all = file ? model::read_text(*file) : std::nullopt;
  if (!all)
    return std::nullopt;
  try {
    Reader reader(*all);
    if (reader.text() != parts_) // others may have the same digest
      return std::nullopt;
    return Result{.image = reader.text(), .log = reader.text(), .lowered = reader.get<Texts>()};
  } catch (const std::runtime_error&) { // it is not whole
    return std::nullopt;
  }
}

void KeptResults::keep(const Result& result, const std::vector<std::string>& files,
                       fs::file_time_type begin) const {
  const auto names_time = [](const std::string& file) {
    return names_the_time(model::read_text(file).value_or(""));
  };
  if (!results_ || std::ranges::any_of(files, names_time))
    return;
  const fs::path made = results_->beside("." + std::to_string(::getpid()));
  Writer writer;
  writer.text(parts_).text(result.image).text(result.log).put(result.lowered);
  try {
    model::write_atomically(made, writer.message());
    results_->keep(made, files, begin);
  } catch (const model::WriteError&) {
    return; // a full disk: it is compiled again the next time
  }
}

} // namespace gputest::cuda::nvrtc
