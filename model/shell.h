// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes commands that users copy into a shell.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gputest::model {

// Returns the word as a shell reads it: in quotes if it has other than plain characters.
inline std::string quoted_for_shell(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos)
    return std::string(word);
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Returns the command that replays what is in `file`.
inline std::string replay_command(const std::filesystem::path& file) {
  return "gputest replay " + quoted_for_shell(file.string());
}

} // namespace gputest::model
