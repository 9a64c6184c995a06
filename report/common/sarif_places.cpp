// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_places.h"

#include "model/files.h"
#include "report/common/line_hashes.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::report {

const std::optional<SarifPlaces::File>& SarifPlaces::file(const std::string& name) {
  const auto [known, is_new] = files_.try_emplace(name);
  if (is_new)
    if (auto lines = sources_.lines_of(name)) {
      model::SourceText text(fmt::format("{}", fmt::join(*lines, "\n")));
      const auto path = sources_.path_of(name);
      known->second.emplace(
          File{std::move(*lines), std::move(text),
               line_hashes(path ? model::read_text(path->string()).value_or("") : "")});
    }
  return known->second;
}

Json SarifPlaces::location(const model::CodePlace& place) {
  Json physical{{"artifactLocation", sarif_artifact(clean(place.file), sources_.roots.front())}};
  if (place.line != 0) {
    const auto& known = file(place.file);
    const unsigned column =
        known ? known->text.utf16_column(place.line, place.column) : place.column;
    physical["region"] = {{"startLine", place.line}, {"startColumn", std::max(column, 1U)}};
  }
  return {{"physicalLocation", std::move(physical)}};
}

model::CodePlace SarifPlaces::kernel(const std::string& file_name, const std::string& name) {
  const auto& known = file(file_name);
  if (!known)
    return {file_name, 0, 0};
  const model::SourceText::Position position = known->text.find_kernel(name);
  return {file_name, position.line, position.column};
}

std::string SarifPlaces::line_text(const model::CodePlace& place) {
  const auto& known = file(place.file);
  if (place.line == 0)
    return "";
  if (!known || place.line > known->lines.size())
    return fmt::format("line {}", place.line);
  std::string folded;
  for (const char c : clean(known->lines[place.line - 1]))
    if (c != ' ' && c != '\t')
      folded += c;
    else if (!folded.empty() && folded.back() != ' ')
      folded += ' ';
  if (folded.ends_with(' '))
    folded.pop_back();
  return folded;
}

Json SarifPlaces::fingerprints(std::string_view name, const std::string& mark,
                               const model::CodePlace& place) {
  const std::string cleaned = clean(mark);
  const unsigned times = ++marks_[cleaned];
  Json all{{name, times == 1 ? cleaned : fmt::format("{}/{}", cleaned, times)}};
  if (const auto& known = file(place.file);
      known && place.line != 0 && place.line <= known->hashes.size())
    all[kLineHash] = known->hashes[place.line - 1];
  return all;
}

Json SarifPlaces::result(const Result& result) {
  return {{"ruleId", result.rule},
          {"ruleIndex", result.index},
          {"level", result.level},
          {"message", sarif_message(result.message)},
          {"locations", Json::array({location(result.place)})},
          {"partialFingerprints", fingerprints(result.fingerprints, result.mark, result.place)}};
}

} // namespace gputest::report
