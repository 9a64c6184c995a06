// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the check of the order of operations asks the process and the simulator, and its findings.
#include "cuda/records/text.h"
#include "cuda/runtime/queue.h"
#include "frontend/cuda/toolkit.h"

#include <array>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <unistd.h>

namespace gputest::cuda {
namespace {

using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

// The file with the instruction, and its address there.
struct InFile {
  std::string file;
  std::uint64_t address = 0;
};

std::optional<InFile> place_in_file(const void* instruction) {
  Dl_info info{};
  if (::dladdr(instruction, &info) == 0 || !info.dli_fname)
    return std::nullopt;
  const auto* const header = static_cast<const Elf64_Ehdr*>(info.dli_fbase);
  const auto address = reinterpret_cast<std::uint64_t>(instruction);
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  std::string file = info.dli_fname;
  if (::access(file.c_str(), R_OK) != 0) // as the program was called, found in $PATH
    file = "/proc/" + std::to_string(::getpid()) + "/exe";
  return InFile{.file = std::move(file),
                .address = header->e_type == ET_EXEC ? address : address - base};
}

// Whether the file is one of this library's, or of its headers.
bool is_own(const std::string& file) {
  const std::string self = __FILE__;
  const std::string root = self.substr(0, self.rfind("cuda/runtime/"));
  const auto in = [&](const char* folder) { return file.starts_with(root + folder); };
  return in("cuda/runtime/") || in("cuda/driver/") || in("cuda/libraries/") ||
         file.find("/gputest_cuda/") != std::string::npos || file.ends_with("/cuda_runtime.h") ||
         file.ends_with("/cuda_runtime_api.h");
}

} // namespace

std::optional<CodeLine> State::line_of_author(const void* instruction) {
  const std::optional<InFile> place = place_in_file(instruction);
  if (!place || is_lost())
    return std::nullopt;
  const std::optional<std::string> answer =
      ask("", Writer()
                  .number(static_cast<std::uint64_t>(Request::Locate))
                  .text(place->file)
                  .number(place->address));
  if (!answer)
    return std::nullopt;
  Reader reply(*answer);
  if (reply.number() != 0)
    return std::nullopt;
  for (std::uint64_t left = reply.count(); left > 0; --left) {
    const CodeLine line = code_line(reply.get<simulator::cuda::LineOfCode>());
    if (!is_own(line.file) && !is_of_library(line.file) && !line.file.starts_with("/usr/include/"))
      return line;
  }
  return std::nullopt;
}

std::optional<CodeLine> State::line_of_call() {
  std::array<void*, kMostCallers> callers{};
  const int count = ::backtrace(callers.data(), static_cast<int>(callers.size()));
  for (int i = 0; i < count; ++i)
    if (std::optional<CodeLine> line = line_of_author(callers[static_cast<std::size_t>(i)]))
      return line;
  return std::nullopt;
}

void State::make_order() {
  order_ = std::make_unique<Order>(Order::Surroundings{
      .heap = heap,
      .line_of = [this](const void* instruction) { return line_of_author(instruction); },
      .report = [this](const OrderFinding& finding) { tell(finding); },
      .is_exact = [this] { return queue().empty(); },
      .on_access =
          [](const void* at, bool writes, const void* pc) {
            State& state = State::get();
            const Lock lock(state.mutex);
            Order* const order = state.order();
            return order && order->host_accesses(at, writes, pc);
          }});
}

void State::tell(const OrderFinding& finding) {
  const std::string other = finding.other.line == 0
                                ? ""
                                : ", \"other_file\": " + quoted(finding.other.file) +
                                      ", \"other_line\": " + std::to_string(finding.other.line) +
                                      ", \"other_column\": " + std::to_string(finding.other.column);
  tell(finding.kind, finding.site.file, finding.site.line, finding.site.column, finding.message, 1,
       other);
}

// In registered memory, the device has other addresses than the host.
void State::touch(const void* at, std::size_t size, bool writes) const {
  if (!order_)
    return;
  const auto* const begin = static_cast<const std::byte*>(at);
  for (const HostRange& range : host_ranges)
    if (begin >= range.host && begin < range.host + range.size)
      at = reinterpret_cast<const void*>(range.device +
                                         static_cast<std::uint64_t>(begin - range.host));
  order_->access(at, size, writes);
}

} // namespace gputest::cuda
