// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the check of the order of operations asks the process and the simulator, and its findings.
#include "cuda/records/text.h"
#include "cuda/runtime/order/host_faults.h"
#include "cuda/runtime/queue.h"
#include "frontend/cuda/toolkit.h"
#include "process/code_place.h"

#include <cctype>
#include <unistd.h>

namespace gputest::cuda {
namespace {

using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

// Whether the file is one of this library's, or of its headers.
bool is_own(const std::string& file) {
  const std::string self = __FILE__;
  const std::string root = self.substr(0, self.rfind("cuda/runtime/"));
  const auto in = [&](const char* folder) { return file.starts_with(root + folder); };
  return in("cuda/runtime/") || in("cuda/libcuda/") || in("cuda/libraries/") ||
         file.find("/gputest_cuda/") != std::string::npos || file.ends_with("/cuda_runtime.h") ||
         file.ends_with("/cuda_runtime_api.h");
}

// The same where lines are not known. A name of the API is followed by a capital: cudaMalloc,
// cuInit.
bool is_own_function(const std::string& name) {
  const auto is_of_api = [&](std::string_view prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           std::isupper(static_cast<unsigned char>(name[prefix.size()])) != 0;
  };
  return is_of_api("cuda") || is_of_api("cu") || is_of_api("__cuda") ||
         name.find("gputest") != std::string::npos || name.starts_with("std::");
}

} // namespace

CodeOfAuthor State::code_of_author(const void* instruction) {
  const std::optional<process::CodePlace> place = process::place_in_file(instruction);
  if (!place || is_lost())
    return {};
  const std::optional<std::string> answer = ask(
      "", Writer()
              .put(Request::Locate)
              .put(simulator::cuda::AddressOfHost{.file = place->file, .address = place->address}));
  if (!answer)
    return {};
  Reader reply(*answer);
  if (reply.number() != 0)
    return {};
  for (const auto& told : reply.get<std::vector<simulator::cuda::CodeOfHost>>()) {
    CodeOfAuthor code{.line = code_line(told.line), .function = told.function};
    const bool is_own_file = is_own(code.line.file) ||
                             frontend::cuda::is_of_library(code.line.file) ||
                             code.line.file.starts_with("/usr/include/");
    if (code.line.line == 0 ? !is_own_function(code.function) : !is_own_file)
      return code;
  }
  return {};
}

std::optional<CodeLine> State::line_of_author(const void* instruction) {
  CodeOfAuthor code = code_of_author(instruction);
  return code.line.line == 0 ? std::nullopt : std::optional(std::move(code.line));
}

std::optional<CodeLine> State::line_of_call() {
  for (const void* const caller : process::callers_now())
    if (std::optional<CodeLine> line = line_of_author(caller))
      return line;
  return std::nullopt;
}

// The order of operations needs the accesses of kernels, which the simulator keeps for RACES.
void State::choose_checks() {
  asked_checks_ = checks_;
  const bool races = checks_.find("races") != std::string::npos;
  const bool host = checks_.find("host") != std::string::npos;
  if (!races && !host)
    return;
  make_order();
  if (!host)
    return;
  if (!races)
    asked_checks_ += " races";
  host_faults_ = std::make_unique<HostFaults>(HostFaults::Surroundings{
      .heap = heap,
      .code_of = [this](const void* instruction) { return code_of_author(instruction); },
      .report = [this](const OrderFinding& finding) { tell(finding); }});
}

// What an error has cut short need not free its memory.
void State::end_of_program() {
  const Lock lock(mutex);
  if (host_faults_ && !is_lost() && ::getpid() == process_)
    host_faults_->end();
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
  if (const HostRange* const range = host_range_of(at))
    at = reinterpret_cast<const void*>(range->device_address(at));
  order_->access(at, size, writes);
}

} // namespace gputest::cuda

// Runs after the destructors of the program's own objects, which may free memory.
[[gnu::destructor]] static void end_of_program() {
  gputest::cuda::State::end();
}
