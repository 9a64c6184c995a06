// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/launches/launch_records.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sources.h"
#include "model/whole_number.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace gputest::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKept = "kept-", kRunning = "running-", kLeftOut = "left-out-";
constexpr std::string_view kBefore = "before-", kEnding = ".json", kContents = ".bytes";
constexpr const char* kGivenUp = "given-up";
constexpr std::size_t kGivenUpBytes = 4096;

// Launches of one kernel. Kernels of one name and file may have different code: those of a header
// in several sources, and those that a program compiles while it runs.
std::string group_of(const KeptLaunch& launch) {
  return digest_of(fmt::format("{}\n{}\n{}", launch.file, launch.mangled, launch.code_digest));
}

// What the name of a file says about a kept launch. The least one is the largest launch.
struct Name {
  std::uint64_t threads = 0, number = 0, process = 0, content = 0;
  std::string stem;

  auto rank() const { return std::tuple(~threads, number, process); }
};

std::string stem_of(const LaunchSnapshot& snapshot) {
  return fmt::format("{}{}-{}-{}-{}-{}", kKept, group_of(snapshot.launch),
                     snapshot.launch.threads(), snapshot.launch.number, ::getpid(),
                     snapshot.content);
}

// Returns the names of kept launches of a group; a folder that cannot be read has none.
std::vector<Name> names_in(const fs::path& folder, const std::string& group) {
  const std::string begin = fmt::format("{}{}-", kKept, group);
  std::vector<Name> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(begin) || entry.path().extension() != kEnding)
      continue;
    Name name{.stem = entry.path().stem().string()};
    const std::vector<std::string> words = split(name.stem.substr(begin.size()), '-');
    std::size_t at = 0;
    for (std::uint64_t* const number : {&name.threads, &name.number, &name.process, &name.content})
      *number = at < words.size() ? whole_number(words[at++]).value_or(0) : 0;
    names.push_back(std::move(name));
  }
  std::ranges::sort(names, {}, &Name::rank);
  return names;
}

void write(const fs::path& folder, const std::string& stem, LaunchSnapshot snapshot) {
  snapshot.launch.contents = stem + std::string(kContents);
  write_atomically(folder / snapshot.launch.contents, snapshot.contents);
  write_kept_launch(folder / (stem + std::string(kEnding)), snapshot.launch);
}

std::string running_name(const KeptLaunch& launch) {
  return fmt::format("{}{}-{}{}", kRunning, ::getpid(), launch.number, kEnding);
}

// Adds a byte to the file. Bytes of several processes are all there.
void add_one(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool is_written = descriptor >= 0 && ::write(descriptor, "+", 1) == 1;
  const std::error_code reason(errno, std::generic_category());
  if (descriptor >= 0)
    ::close(descriptor);
  if (!is_written)
    throw WriteError(file, reason);
}

} // namespace

void LaunchRecords::prepare() const {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  write_atomically(folder_ / kGivenUp, std::string(kGivenUpBytes, ' '));
}

std::string LaunchRecords::keep_code(const std::string& code, const std::string& digest) const {
  std::string name = digest + ".code";
  std::error_code ignored;
  if (!fs::exists(folder_ / name, ignored))
    write_atomically(folder_ / name, code);
  return name;
}

void LaunchRecords::begin(const KeptLaunch& launch) const {
  KeptLaunch running = launch;
  running.left_out = "it has not ended";
  write_kept_launch(folder_ / running_name(launch), running);
}

void LaunchRecords::end(const KeptLaunch& launch) const {
  std::error_code error;
  const fs::path file = folder_ / running_name(launch);
  if (!fs::remove(file, error))
    throw WriteError(file,
                     error ? error : std::make_error_code(std::errc::no_such_file_or_directory));
}

void LaunchRecords::keep(const LaunchSnapshot& snapshot, const LaunchSnapshot* before,
                         std::size_t most) const {
  const std::string stem = stem_of(snapshot);
  LaunchSnapshot kept = snapshot;
  if (before) {
    const std::string name = std::string(kBefore) + stem;
    write(folder_, name, *before);
    kept.launch.before = name + std::string(kEnding);
  }
  write(folder_, stem, std::move(kept));
  // Each process does this after it has written, so what stays does not depend on their order.
  std::set<std::uint64_t> contents;
  for (const Name& name : names_in(folder_, group_of(snapshot.launch))) {
    if (contents.size() < most && contents.insert(name.content).second)
      continue;
    std::error_code ignored; // another process has removed it
    for (const std::string_view ending : {kEnding, kContents})
      for (const std::string_view begin : {std::string_view(), kBefore})
        fs::remove(folder_ / fmt::format("{}{}{}", begin, name.stem, ending), ignored);
  }
}

void LaunchRecords::leave_out(const KeptLaunch& launch) const {
  const std::string stem =
      fmt::format("{}{}-{}", kLeftOut, group_of(launch), digest_of(launch.left_out.value_or("")));
  const fs::path file = folder_ / (stem + std::string(kEnding));
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    write_kept_launch(file, launch);
  add_one(folder_ / (stem + ".count"));
}

bool LaunchRecords::give_up(const std::string& reason) const noexcept {
  // The file has its blocks, so that a full disk takes the reason, too.
  const int descriptor = ::open((folder_ / kGivenUp).c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  std::array<char, kGivenUpBytes> text{};
  text.fill(' '); // another process may have said more
  std::ranges::copy(std::string_view(reason).substr(0, text.size()), text.begin());
  const bool is_written =
      ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  ::close(descriptor);
  return is_written;
}

std::optional<std::string> LaunchRecords::given_up() const {
  const std::optional<std::string> text = read_text(folder_ / kGivenUp);
  if (!text)
    return fmt::format("{}: error: the folder of kept launches has gone", folder_.string());
  const std::string_view reason = trimmed(*text);
  return reason.empty() ? std::nullopt : std::optional<std::string>(reason);
}

std::vector<RecordedLaunches> LaunchRecords::read() const {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (entry.path().extension() == kEnding &&
        !entry.path().filename().string().starts_with(kBefore))
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<RecordedLaunches> all;
  for (const fs::path& file : files) {
    RecordedLaunches& one =
        all.emplace_back(RecordedLaunches{.launch = read_kept_launch(file), .file = file});
    const fs::path count = fs::path(file).replace_extension(".count");
    if (const auto size = fs::file_size(count, ignored); !ignored)
      one.launches = size;
  }
  return all;
}

} // namespace gputest::model
