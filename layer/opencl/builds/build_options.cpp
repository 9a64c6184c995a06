// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/builds/build_options.h"

#include <cctype>
#include <string_view>
#include <system_error>
#include <utility>

namespace gputest::layer {
namespace fs = std::filesystem;

std::vector<std::string> split_options(const std::string& options) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const char c = options[i];
    if (c == '\\' && i + 1 < options.size() && quote != '\'') {
      word += options[++i];
      is_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      is_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (is_word)
        words.push_back(std::exchange(word, ""));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word)
    words.push_back(word);
  return words;
}

runtime::BuildSettings parse_options(const std::string& options) {
  runtime::BuildSettings settings;
  const std::vector<std::string> words = split_options(options);
  constexpr std::string_view kStandard = "-cl-std=";
  std::error_code ignored;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&] {
      return word.size() > 2 ? word.substr(2) : i + 1 < words.size() ? words[++i] : std::string();
    };
    if (word.starts_with("-D"))
      settings.definitions.push_back(value());
    else if (word.starts_with("-I"))
      settings.include_dirs.push_back(fs::absolute(value(), ignored));
    else if (word.starts_with(kStandard))
      settings.cl_std = word.substr(kStandard.size());
    else
      settings.build_options.push_back(word);
  }
  settings.include_dirs.push_back(fs::current_path(ignored));
  return settings;
}

} // namespace gputest::layer
