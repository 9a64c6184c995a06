// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/files.h"

#include "model/json.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::model {
namespace {

namespace fs = std::filesystem;

bool is_leaf(const Json& json) {
  if (!json.is_structured())
    return true;
  for (const Json& child : json)
    if (child.is_structured() && !child.empty())
      return false;
  return true;
}

// Prints JSON. Elements less than `levels` deep have lines of their own.
void print(const Json& json, int depth, int levels, std::string& out) {
  const auto dump = [](const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  if (depth >= levels || is_leaf(json)) {
    out += dump(json);
    return;
  }
  const std::string indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
  out += json.is_array() ? '[' : '{';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += indent;
    if (json.is_object())
      out += dump(Json(key)) + ": ";
    print(value, depth + 1, levels, out);
  }
  out += '\n' + indent.substr(2) + (json.is_array() ? ']' : '}');
}

} // namespace

std::optional<std::string> read_text(const std::filesystem::path& file) {
  const std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file))
    return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

WriteError::WriteError(const fs::path& file, std::error_code reason)
    : std::runtime_error(
          fmt::format("{}: error: cannot be written: {}", file.string(), reason.message())),
      reason_(reason) {}

int exit_code_of_writing(const std::error_code& reason) {
  const bool fails = reason == std::errc::no_space_on_device || reason == std::errc::io_error ||
                     reason == std::errc::file_too_large ||
                     reason == std::error_code(EDQUOT, std::generic_category());
  return fails ? 3 : 2;
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  static std::atomic<unsigned> writes = 0; // threads may write the same file at once
  std::filesystem::path temporary = file;
  // Machines that share the folder have the same numbers of processes.
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  temporary += fmt::format(".{}-{}-{}.tmp", host.data(), ::getpid(), ++writes);
  {
    errno = 0; // streams leave it as the system has set it
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) {
      const std::error_code reason(errno != 0 ? errno : EIO, std::generic_category());
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      throw WriteError(file, reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw WriteError(file, error);
  }
}

std::string state_of(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0)
    return "";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

std::string file_of_others(const char* variable, const char* name, const char* found) {
  if (const char* const chosen = variable ? std::getenv(variable) : nullptr; chosen && *chosen)
    return chosen;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  // Seen from bin/, and from lib/gputest/cuda/bin/.
  for (const char* bundle : {"../lib/gputest/bundle", "../../bundle"})
    if (const fs::path file = (folder / bundle / name).lexically_normal();
        fs::exists(file, ignored))
      return file;
  return found;
}

std::string pretty(const Json& json, int levels) {
  std::string out;
  print(json, 0, levels, out);
  return out + '\n';
}

} // namespace gputest::model
