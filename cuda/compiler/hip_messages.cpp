// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/hip_messages.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

namespace gputest::cuda::compiler {
namespace {

constexpr std::string_view kKindsOfMessages[]{"error: ", "warning: ", "note: "};

const std::map<std::string, std::string, std::less<>>& hip_names() {
  static const std::map<std::string, std::string, std::less<>> all = [] {
    std::map<std::string, std::string, std::less<>> made;
#define GPUTEST_HIP_WORD(hip, cuda) made.emplace(#cuda, #hip);
#include "gputest_hip/words.def"
#undef GPUTEST_HIP_WORD
    return made;
  }();
  return all;
}

bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

std::string with_hip_names(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end]))
      ++end;
    const std::string_view word = text.substr(at, std::max<std::size_t>(end - at, 1));
    const auto found = hip_names().find(word);
    result += found == hip_names().end() ? word : std::string_view(found->second);
    at += word.size();
  }
  return result;
}

// The libraries of ROCm, by the folders of their headers.
constexpr std::string_view kRocmLibraries[]{
    "hipblas", "hipcub",  "hipfft", "hiprand", "hipsolver", "hipsparse", "miopen",
    "rccl",    "rocblas", "rocfft", "rocprim", "rocrand",   "rocsolver", "rocsparse"};

std::string in_other_words(const std::string& message) {
  if (message.find("constraint '") != std::string::npos && message.ends_with("in asm"))
    return message + ": this is assembler of AMD's GPUs, which the simulator does not run; give it "
                     "another way in C++ under #ifdef __GPUTEST_CUDA__";
  const auto library = std::ranges::find_if(kRocmLibraries, [&](std::string_view one) {
    return message.starts_with("'" + std::string(one)) && message.ends_with("' file not found");
  });
  return library == std::end(kRocmLibraries)
             ? message
             : message + ": " + std::string(*library) + " of ROCm is not part of this toolkit";
}

} // namespace

std::string in_words_of_hip(const std::string& messages) {
  std::istringstream lines(messages);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    std::size_t begin = std::string::npos;
    for (const std::string_view kind : kKindsOfMessages)
      if (const std::size_t at = line.find(kind);
          at != std::string::npos && line.find(':') < at && begin == std::string::npos)
        begin = at + kind.size();
    if (begin != std::string::npos)
      line = line.substr(0, begin) + in_other_words(with_hip_names(line.substr(begin)));
    result += line + '\n';
  }
  return result;
}

} // namespace gputest::cuda::compiler
