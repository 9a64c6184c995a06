// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc takes and Clang refuses: places in texts that are mended before Clang reads them again.
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/deduction_guides.h"
#include "frontend/cuda/host_calls.h"
#include "frontend/cuda/kernel_references.h"
#include "frontend/cuda/sized_at_run_time.h"
#include "frontend/cuda/unconstructed.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::frontend::cuda {

struct TextEdit {
  std::size_t begin = 0, end = 0; // what it replaces
  std::string text;
};

enum class Refusal {
  SharedObject,
  DeductionGuide,
  KernelReference,
  LaunchByPointer,
  HostCall,
  SizedAtRunTime,
  BracesOfLaunch
};

struct RefusedPlace {
  Refusal what = Refusal::SharedObject;
  unsigned line = 0, column = 0; // from 1
  std::string function{};        // a kernel whose address it takes, or a function that it calls
  bool operator==(const RefusedPlace&) const = default;
};

// Names of files are absolute.
using RefusedPlaces = std::map<std::string, std::vector<RefusedPlace>>;

inline std::string absolute_name(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

// One line of Clang's messages: "file:line:column: error: what".
struct MessageLine {
  bool is_error = false; // or a note
  std::string file;
  unsigned line = 0, column = 0;
  std::string_view what; // in the line
};

// Returns nullopt for warnings, and for lines without a place.
inline std::optional<MessageLine> message_line(std::string_view line) {
  MessageLine result;
  for (const std::string_view kind : {": error: ", ": note: "}) {
    std::size_t end = line.find(kind);
    if (end == std::string_view::npos)
      continue;
    result.is_error = kind == ": error: ";
    result.what = line.substr(end + kind.size());
    for (unsigned* const number : {&result.column, &result.line}) {
      const std::size_t colon = end == 0 ? std::string_view::npos : line.rfind(':', end - 1);
      if (colon == std::string_view::npos || colon + 1 == end)
        return std::nullopt;
      for (const char digit : line.substr(colon + 1, end - colon - 1)) {
        if (digit < '0' || digit > '9')
          return std::nullopt;
        *number = *number * 10 + static_cast<unsigned>(digit - '0');
      }
      end = colon;
    }
    result.file = absolute_name(std::string(line.substr(0, end)));
    return result;
  }
  return std::nullopt;
}

// Returns what Clang's messages refuse and nvcc takes.
inline RefusedPlaces refused_places(const std::string& messages) {
  constexpr std::string_view kShared = "initialization is not supported for __shared__ variables";
  constexpr std::string_view kGuide = "reference to __host__ function '<deduction guide for ";
  constexpr std::string_view kNoGuide = "no viable constructor or deduction guide";
  constexpr std::string_view kGuideIsThere = "'<deduction guide for ";
  constexpr std::string_view kHostCandidate =
      "candidate function not viable: call to __host__ function from ";
  constexpr std::string_view kHostTemplate =
      "candidate template ignored: target attributes do not match";
  constexpr std::string_view kKernel = "reference to __global__ function '";
  constexpr std::string_view kHost = "reference to __host__ function '",
                             kFromBoth = "' in __host__ __device__ function";
  constexpr std::string_view kNoConstant = "non-type template argument ";
  constexpr std::string_view kSized = "variable-sized object may not be initialized";
  constexpr std::string_view kBraces = "expected expression";
  RefusedPlaces refused;
  bool is_about_guide = false; // the last error
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    for (std::size_t at = 0; (at = line.find('\033', at)) != std::string::npos;) // colours
      line.erase(at, line.find('m', at) - at + 1);
    const auto message = message_line(line);
    if (!message)
      continue;
    const std::string_view what = message->what;
    if (message->is_error)
      is_about_guide = what.starts_with(kGuide) || what.starts_with(kNoGuide);
    if (message->is_error && what.starts_with(kShared))
      refused[message->file].push_back({Refusal::SharedObject, message->line, message->column});
    else if (message->is_error && what.starts_with(kKernel))
      refused[message->file].push_back(
          {Refusal::KernelReference, message->line, message->column,
           std::string(what.substr(kKernel.size(), what.rfind("' in ") - kKernel.size()))});
    else if (message->is_error && what.starts_with(kHost) && what.ends_with(kFromBoth) &&
             !is_about_guide)
      refused[message->file].push_back(
          {Refusal::HostCall, message->line, message->column,
           std::string(what.substr(kHost.size(), what.size() - kHost.size() - kFromBoth.size()))});
    else if (message->is_error && what.starts_with(kNoConstant))
      refused[message->file].push_back({Refusal::LaunchByPointer, message->line, message->column});
    else if (message->is_error && what.starts_with(kSized))
      refused[message->file].push_back({Refusal::SizedAtRunTime, message->line, message->column});
    else if (message->is_error && what == kBraces)
      refused[message->file].push_back({Refusal::BracesOfLaunch, message->line, message->column});
    else if (!message->is_error && is_about_guide &&
             (what.starts_with(kGuideIsThere) || what.starts_with(kHostCandidate) ||
              what.starts_with(kHostTemplate)))
      refused[message->file].push_back({Refusal::DeductionGuide, message->line, message->column});
  }
  return refused;
}

// Returns the deduction guides of a source and of what it includes. Clang would take another
// constructor where it takes no guide, and say nothing.
inline RefusedPlaces deduction_guides(const std::vector<IncludedFile>& files) {
  RefusedPlaces found;
  for (const auto& [file, text] : files) {
    std::size_t line_begin = 0;
    unsigned line = 1;
    for (const std::size_t at : deduction_guides_of(text)) {
      for (std::size_t end = text.find('\n', line_begin); end < at;
           end = text.find('\n', line_begin)) {
        line_begin = end + 1;
        ++line;
      }
      found[file.string()].push_back(
          {Refusal::DeductionGuide, line, static_cast<unsigned>(at - line_begin + 1)});
    }
  }
  return found;
}

// Returns the edits of a text for these places, in its order. Places where nothing can be mended
// have none.
inline std::vector<TextEdit> edits_of_refused(std::string_view text,
                                              const std::vector<RefusedPlace>& places) {
  std::map<std::size_t, TextEdit> edits;
  for (const RefusedPlace& place : places) {
    std::size_t at = 0;
    for (unsigned line = 1; line < place.line && at < text.size(); ++line)
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
    at += place.column - 1;
    if (at >= text.size())
      continue;
    if (place.what == Refusal::DeductionGuide) {
      if (is_of_name(text[at]))
        edits[at] = {at, at, std::string(kForBothSides)};
    } else if (place.what == Refusal::KernelReference) {
      if (const auto found = KernelReference::at(text, at, place.function))
        edits[found->begins] = {found->begins, found->ends, found->text()};
    } else if (place.what == Refusal::HostCall) {
      if (const auto found = HostCall::at(text, at, place.function))
        edits[found->begins] = {found->begins, found->ends, found->text()};
    } else if (place.what == Refusal::LaunchByPointer) {
      if (const auto found = LaunchByPointer::at(text, at))
        edits[found->begins] = {found->begins, found->ends, found->text()};
    } else if (place.what == Refusal::BracesOfLaunch) {
      if (const std::string_view type = type_of_launch_argument(text, at); !type.empty())
        edits[at] = {at, at, std::string(type)};
    } else if (place.what == Refusal::SizedAtRunTime) {
      if (const auto found = SizedAtRunTime::at(text, at))
        edits[found->begins] = {found->begins, found->ends, found->text()};
    } else if (const auto found = SharedDeclaration::around(text, at)) {
      edits[found->begins] = {found->begins, found->ends, found->text()};
    }
  }
  std::vector<TextEdit> result;
  for (auto& [begin, edit] : edits)
    if (result.empty() || result.back().end <= begin)
      result.push_back(std::move(edit));
  return result;
}

// Whether messages show what stands in the place of the author's text.
inline bool are_of_mended(const std::string& messages) {
  return messages.find("GPUTEST_HOST_CALL") != std::string::npos ||
         messages.find("::gputest_") != std::string::npos;
}

// Adds what can be mended of these places. Returns whether there is anything that was not mended
// before. `read`: returns the text of a file, or nullopt.
template <typename Read>
bool add_places(RefusedPlaces found, std::vector<RefusedPlaces>& refused, Read read) {
  for (auto& [file, places] : found)
    for (const RefusedPlaces& before : refused)
      if (const auto same = before.find(file); same != before.end())
        std::erase_if(places, [&](const RefusedPlace& place) {
          return std::ranges::find(same->second, place) != same->second.end();
        });
  std::erase_if(found, [&](const auto& file_and_places) {
    const auto& [file, places] = file_and_places;
    const auto text = places.empty() ? std::nullopt : read(file);
    return !text || edits_of_refused(*text, places).empty();
  });
  if (found.empty())
    return false;
  refused.push_back(std::move(found));
  return true;
}

// The same for what the messages refuse.
template <typename Read>
bool add_refused(const std::string& messages, std::vector<RefusedPlaces>& refused, Read read) {
  return add_places(refused_places(messages), refused, read);
}

inline std::string edited(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  std::size_t copied = 0;
  for (const TextEdit& edit : edits) {
    result += text.substr(copied, edit.begin - copied);
    result += edit.text;
    copied = edit.end;
  }
  return result += text.substr(copied);
}

} // namespace gputest::frontend::cuda
