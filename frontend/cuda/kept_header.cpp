#include "frontend/cuda/kept_header.h"

#include "frontend/cuda/toolkit.h"
#include "model/depfile.h"
#include "model/files.h"
#include "model/sources.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gputest::cuda {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Run = std::function<int(const Arguments&)>;

constexpr std::string_view kListEnding = ".files", kLockEnding = ".lock";
constexpr std::string_view kFolderOptions[]{"-I", "-isystem", "-iquote", "-idirafter"};
constexpr std::chrono::hours kUnused{24 * 30}; // after so long a header goes

std::string state_of(const std::string& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0)
    return "none";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
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

class Header {
public:
  // `key`: all that decides what is in it, but for the content of the files.
  Header(const fs::path& folder, std::string key)
      : key_(std::move(key)), stem_((folder / model::digest_of(key_)).string()) {}

  fs::path file() const { return stem_ + std::string(kKeptEnding); }
  fs::path text() const { return stem_ + std::string(kTextEnding); }

  // The list beside the header begins with the key, a line, and has a line for each file.
  bool is_current() const {
    const auto list = model::read_text(list_file());
    if (!list || !fs::exists(file()) || !list->starts_with(key_ + "\n"))
      return false;
    std::string_view rest = std::string_view(*list).substr(key_.size() + 1);
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::size_t tab = line.find('\t');
      if (tab == std::string_view::npos ||
          state_of(std::string(line.substr(tab + 1))) != line.substr(0, tab))
        return false;
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    return true;
  }

  // False where Clang does not make it.
  bool make(Arguments command, const Run& run_quietly) const {
    const Lock lock(stem_ + std::string(kLockEnding));
    if (!lock.is_held())
      return false;
    if (is_current()) // another process has made it meanwhile
      return true;
    const fs::path made = stem_ + ".new", rule = stem_ + ".d";
    std::ofstream(text()) << "#include <cuda_runtime.h>\n"; // a header of the system's, as ever
    for (const std::string& argument :
         {std::string("-Xclang"), std::string("-emit-pch"), std::string("-c"),
          std::string("-emit-llvm"), // so that the driver adds no assembler
          std::string("-MD"), std::string("-MF"), rule.string(), std::string("-MT"),
          std::string("header"), text().string(), std::string("-o"), made.string()})
      command.push_back(argument);
    std::error_code error;
    const bool is_made = run_quietly(command) == 0;
    std::string list = key_ + "\n";
    for (const std::string& name : model::depfile_names(model::read_text(rule).value_or("")))
      list += state_of(name) + "\t" + name + "\n";
    fs::remove(rule, error);
    if (!is_made) {
      fs::remove(made, error);
      return false;
    }
    fs::rename(made, file(), error); // without its list it is as good as none
    remove_unused();
    return !error && write(list);
  }

  void note_use() const {
    std::error_code ignored;
    fs::last_write_time(list_file(), fs::file_time_type::clock::now(), ignored);
  }

private:
  fs::path list_file() const { return stem_ + std::string(kListEnding); }

  bool write(const std::string& list) const {
    try {
      model::write_atomically(list_file(), list);
      return true;
    } catch (const model::WriteError&) {
      return false;
    }
  }

  void remove_unused() const {
    std::error_code error;
    std::vector<std::string> unused;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(list_file().parent_path(), error))
      if (const std::string name = entry.path().string();
          name.ends_with(kListEnding) &&
          fs::file_time_type::clock::now() - entry.last_write_time(error) > kUnused)
        unused.push_back(name.substr(0, name.size() - kListEnding.size()));
    for (const std::string& stem : unused)
      for (const std::string_view ending : {kKeptEnding, kListEnding, kTextEnding, kLockEnding})
        fs::remove(stem + std::string(ending), error);
  }

  std::string key_;
  std::string stem_;
};

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
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const std::string_view option : kFolderOptions)
      if (arguments[i].starts_with(option)) {
        const bool is_apart = arguments[i] == option;
        const std::string folder = is_apart && i + 1 < arguments.size()
                                       ? arguments[i + 1]
                                       : arguments[i].substr(option.size());
        if (!fs::path(folder).is_absolute())
          return true;
      }
  return false;
}

std::string key_of(const Arguments& reading) {
  std::string key = state_of(reading.front());
  if (names_relative_folder(reading))
    key += '\t' + fs::current_path().string();
  for (const std::string& argument : reading)
    key += '\t' + argument;
  std::ranges::replace(key, '\n', ' ');
  return key;
}

} // namespace

KeptHeader with_kept_header(const Arguments& arguments, const Run& run_quietly) {
  const auto include = std::ranges::search(arguments, Arguments{kHeader, kHeaderName});
  const char* const wanted = std::getenv("GPUTEST_CUDA_KEPT_HEADERS");
  fs::path folder = model::cache_folder();
  const bool reads_before = std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument == "-imacros" || argument == kKeptHeader;
  });
  if (include.empty() || folder.empty() || (wanted && std::string_view(wanted) == "0") ||
      reads_before || !fs::path(arguments.front()).is_absolute()) // else it may be any program
    return {arguments, {}};
  folder /= "cuda";
  std::error_code error;
  fs::create_directories(folder, error);
  const Arguments reading = options_of_header(arguments);
  const Header header(fs::absolute(folder, error), key_of(reading));
  if (!header.is_current() && !header.make(reading, run_quietly))
    return {arguments, {}};
  header.note_use();
  KeptHeader kept{arguments, {header.file(), header.text()}};
  auto at = kept.arguments.begin() + (include.begin() - arguments.begin());
  *at++ = kKeptHeader;
  *at = header.file().string();
  return kept;
}

} // namespace gputest::cuda
