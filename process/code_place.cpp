// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/code_place.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <unistd.h>

namespace gputest::process {

Callers callers_now() {
  Callers callers(kMostCallers);
  const int count = ::backtrace(const_cast<void**>(callers.data()), kMostCallers);
  callers.resize(static_cast<std::size_t>(count));
  return callers;
}

std::optional<CodePlace> place_in_file(const void* instruction) {
  Dl_info info{};
  if (::dladdr(instruction, &info) == 0 || !info.dli_fname)
    return std::nullopt;
  const auto* const header = static_cast<const Elf64_Ehdr*>(info.dli_fbase);
  const auto address = reinterpret_cast<std::uint64_t>(instruction);
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  std::string file = info.dli_fname;
  if (::access(file.c_str(), R_OK) != 0) // as the program was called, found in $PATH
    file = "/proc/" + std::to_string(::getpid()) + "/exe";
  return CodePlace{.file = std::move(file),
                   .address = header->e_type == ET_EXEC ? address : address - base};
}

} // namespace gputest::process
