// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/source_text.h"

#include "gputest/error.h"
#include "model/files.h"
#include "model/spirv/module.h"

#include <fmt/format.h>
#include <iomanip>
#include <sstream>

namespace gputest::runtime {

std::string read_variant(const std::filesystem::path& file) {
  if (auto text = model::read_text(file))
    return *std::move(text);
  throw UsageError(fmt::format("{}: error: cannot be read; build again", file.string()));
}

std::string read_source(const std::filesystem::path& file, const std::filesystem::path& name) {
  const auto text = model::read_text(file);
  if (!text)
    throw UsageError(fmt::format("{}: error: cannot be read", file.string()));
  if (!model::row_of(file).has_source)
    return model::text_of_spirv(*text);
  // Compilers accept a byte order mark only at the beginning, where the #line directive is now.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view content = *text;
  if (content.starts_with(kByteOrderMark))
    content.remove_prefix(kByteOrderMark.size());
  std::ostringstream line;
  line << "#line 1 " << std::quoted(name.string()) << '\n' << content;
  return std::move(line).str();
}

std::string read_source(const std::filesystem::path& file) {
  return read_source(file, file);
}

BuildSettings preprocessed(BuildSettings settings) {
  if (!model::row_of(settings.language).variants_are_flat)
    return settings;
  settings.definitions.clear();
  settings.include_dirs.clear();
  return settings;
}

} // namespace gputest::runtime
