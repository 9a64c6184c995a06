// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check HOST of programs that use OpenCL: memory that is not released, transfers that do not
// fit, commands that nothing orders, and a host that does not wait. It also tells the simulator
// which bytes of buffers nobody has written.
#pragma once

#include "layer/opencl/host/call_sites.h"
#include "layer/opencl/host/command_order.h"
#include "layer/opencl/host/host_memory.h"
#include "layer/opencl/host/touched_memory.h"
#include "layer/opencl/host/unwritten_memory.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/services.h"

#include <mutex>
#include <set>
#include <tuple>

namespace gputest::layer {

// Bytes of memory that a command accesses.
struct CommandAccess {
  const void* memory = nullptr; // a memory object, or the begin of shared virtual memory; nullptr:
                                // the host's memory, by addresses
  std::vector<Touch> touches{}; // without any, it may be all of the memory
};

struct CommandCall {
  cl_command_queue queue = nullptr;
  std::string what{}; // "clEnqueueReadBuffer()", "kernel 'fill'"
  CommandKind kind = CommandKind::Plain;
  cl_uint count = 0; // of the events for which it waits
  const cl_event* events = nullptr;
  bool blocking = false;
  bool maps = false;       // it gives the host a pointer
  bool copies = false;     // its second access writes what the first reads
  bool writes_all = false; // it may have written any buffer
  std::vector<CommandAccess> accesses{};

  // The accesses of a buffer, or of a part of one.
  void touch(cl_mem buffer, std::vector<Touch> touches);
  void touch_host(const void* begin, std::vector<Touch> touches);
  bool uses_host() const;
};

// What the program makes and must release.
struct MadeMemory {
  std::string what{}; // "a buffer of 400 bytes"
  const char* released_by = "";
  std::size_t size = 0;      // bytes
  std::size_t unwritten = 0; // bytes of a buffer that begin without a value
  unsigned references = 1;
  process::Callers callers{};
};

// Threads may share one.
class HostCheck {
public:
  // `on_access`: calls accessed().
  HostCheck(Services& services, process::OnPageFault on_access);

  void made(const void* memory, MadeMemory made);
  void retained(const void* memory);
  void released(const void* memory);
  void uses_host_memory(); // a buffer lies in the program's own memory

  void made_queue(cl_command_queue queue, cl_command_queue_properties properties);
  void made_event(cl_event event);
  void set_event(cl_event event);
  void waited(cl_uint count, const cl_event* events);
  void finished(cl_command_queue queue);

  void before(const CommandCall& call); // before the OpenCL implementation gets it
  // `event`: the command's; nullptr: it has none.
  void put(const CommandCall& call, cl_event event);
  // The implementation has refused a transfer of `size` bytes from byte `offset` of `memory` on.
  void refused(const CommandCall& call, cl_mem memory, std::size_t offset, std::size_t size);

  // Sets GivenArgument::unwritten of the buffers that a launch is given.
  void find_unwritten(std::vector<GivenArgument>& given);

  bool accessed(const void* at, bool writes, const void* pc);
  void end(); // of the program

private:
  using Lock = std::lock_guard<std::recursive_mutex>;
  CommandPtr command_of(cl_event event) const; // nullptr: not known
  CommandPtr added(const CommandCall& call, cl_event event);
  void note_writes(const CommandCall& call);
  void report(const CommandCall& call, const CommandPtr& command, const void* memory,
              const TouchConflict& conflict);
  std::string name_of(const void* memory);
  void tell(const char* kind, const CallSite& site, const CallSite& other, std::string message);

  Services& services_;
  std::recursive_mutex mutex_; // an access of the host may be one of this class's
  CallSites sites_;
  CommandOrder order_;
  TouchedMemory touched_;
  UnwrittenMemory unwritten_;
  HostMemory host_memory_;
  std::map<const void*, MadeMemory> made_;
  std::map<cl_event, CommandPtr> events_;
  std::vector<CommandPtr> reads_; // which fill the host's memory, and for which it has not waited
  std::set<std::tuple<std::string, std::string, std::string>> told_; // kinds and places
  bool may_protect_ = true;
};

} // namespace gputest::layer
