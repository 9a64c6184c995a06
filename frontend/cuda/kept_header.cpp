// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/kept_header.h"

#include "frontend/cuda/toolkit.h"
#include "model/cache.h"
#include "model/files.h"
#include "model/text/depfile.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>

namespace gputest::frontend::cuda {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Run = std::function<int(const Arguments&)>;

constexpr std::string_view kYears[]{"98", "03", "0x", "11", "1y", "14", "1z", "17"};

// The text stays as it is: Clang compares its time.
fs::path text_of(const model::MadeOfFiles& headers) {
  return headers.beside(std::string(kTextEnding));
}

// While it exists, no other process makes the same header. A process that dies gives it back.
class Lock {
public:
  explicit Lock(const fs::path& file)
      : descriptor_(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0)
      ::flock(descriptor_, LOCK_EX);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  bool is_held() const { return descriptor_ >= 0; }

private:
  int descriptor_;
};

// Makes the header for the files as they are now. nullopt where Clang does not make it.
std::optional<fs::path> make(const model::MadeOfFiles& headers, Arguments command,
                             const std::string& header, const Run& run_quietly) {
  const Lock lock(headers.beside(".lock"));
  if (!lock.is_held())
    return std::nullopt;
  if (auto file = headers.find()) // another process has made it meanwhile
    return file;
  const fs::path made = headers.beside(".new"), rule = headers.beside(".d"),
                 text = text_of(headers);
  if (!fs::exists(text))
    std::ofstream(text) << "#include <" << header << ">\n"; // of the system's, as ever
  for (const std::string& argument :
       {std::string("-Xclang"), std::string("-emit-pch"), std::string("-c"),
        std::string("-emit-llvm"), // so that the driver adds no assembler
        std::string("-MD"), std::string("-MF"), rule.string(), std::string("-MT"),
        std::string("header"), text.string(), std::string("-o"), made.string()})
    command.push_back(argument);
  std::error_code error;
  const auto begin = fs::file_time_type::clock::now();
  const bool is_made = run_quietly(command) == 0;
  const std::vector<std::string> names = model::depfile_names(model::read_text(rule).value_or(""));
  fs::remove(rule, error);
  if (is_made)
    return headers.keep(made, names, begin);
  fs::remove(made, error);
  return std::nullopt;
}

// What the header is made with: without what comes behind it, and what is no part of it.
Arguments options_of_header(const Arguments& arguments) {
  Arguments result;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == kHeader)
      ++i;
    else if (!arguments[i].starts_with("-fdebug-prefix-map=") &&
             !arguments[i].starts_with("-fdebug-compilation-dir="))
      result.push_back(arguments[i]);
  return result;
}

bool names_relative_folder(const Arguments& arguments) {
  return std::ranges::any_of(
      folders_of(arguments, {"-I", "-isystem", "-iquote", "-idirafter"}),
      [](const std::string& folder) { return !fs::path(folder).is_absolute(); });
}

// What is read before the header; and C++20 with its modules, because Clang then merges what it
// reads from a file: a function of the host with one of the device that has the same parameters.
bool forbids_keeping(const std::string& argument) {
  constexpr std::string_view kStandard = "-std=";
  if (!argument.starts_with(kStandard))
    return argument == "-imacros" || argument == kKeptHeader;
  const std::string year = argument.substr(argument.size() - 2);
  return std::ranges::find(kYears, year) == std::end(kYears);
}

std::string key_of(const Arguments& reading) {
  std::string key = model::state_of(reading.front());
  if (names_relative_folder(reading))
    key += '\t' + fs::current_path().string();
  for (const std::string& argument : reading)
    key += '\t' + argument;
  std::ranges::replace(key, '\n', ' ');
  return key;
}

} // namespace

KeptHeader with_kept_header(const Arguments& arguments, const Run& run_quietly) {
  auto include = arguments.end();
  for (const model::LanguageRow& row : model::language_rows())
    if (!row.header.empty() && include == arguments.end())
      include = std::ranges::search(arguments, Arguments{kHeader, std::string(row.header)}).begin();
  const char* const wanted = std::getenv("GPUTEST_CUDA_KEPT_HEADERS");
  fs::path folder = model::cache_folder();
  if (include == arguments.end() || folder.empty() || (wanted && std::string_view(wanted) == "0") ||
      std::ranges::any_of(arguments, forbids_keeping) ||
      !fs::path(arguments.front()).is_absolute()) // else it may be any program
    return {arguments, {}};
  folder /= model::kKeptHeaders;
  std::error_code error;
  fs::create_directories(folder, error);
  const Arguments reading = options_of_header(arguments);
  const model::MadeOfFiles headers(fs::absolute(folder, error), key_of(reading),
                                   std::string(kKeptEnding));
  std::optional<fs::path> file = headers.find();
  if (!file)
    file = make(headers, reading, *(include + 1), run_quietly);
  if (!file)
    return {arguments, {}};
  KeptHeader kept{arguments, {*file, text_of(headers)}};
  auto at = kept.arguments.begin() + (include - arguments.begin());
  *at++ = kKeptHeader;
  *at = file->string();
  return kept;
}

} // namespace gputest::frontend::cuda
