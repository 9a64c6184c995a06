// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/host_check.h"

#include "layer/opencl/given_argument.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace gputest::layer {
namespace {

using namespace std::chrono_literals;

// A command may wait for what the program does later.
constexpr auto kPatience = 5s;

bool completes(cl_command_queue queue, cl_event event) {
  implementation().clFlush(queue);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!is_over(event) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(50us);
  return is_over(event);
}

std::size_t offset_in_whole(cl_mem memory) {
  std::size_t offset = 0;
  implementation().clGetMemObjectInfo(memory, CL_MEM_OFFSET, sizeof offset, &offset, nullptr);
  return offset; // sub-buffers have no parts of their own
}

std::string bytes(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "byte" : "bytes");
}

} // namespace

void CommandCall::touch(cl_mem buffer, std::vector<Touch> touches) {
  const std::size_t offset = offset_in_whole(buffer);
  for (Touch& one : touches)
    one.begin += offset;
  accesses.push_back({.memory = whole_of(buffer), .touches = std::move(touches)});
}

void CommandCall::touch_host(const void* begin, std::vector<Touch> touches) {
  for (Touch& one : touches)
    one.begin += reinterpret_cast<std::uint64_t>(begin);
  accesses.push_back({.memory = nullptr, .touches = std::move(touches)});
}

bool CommandCall::uses_host() const {
  return std::ranges::any_of(accesses,
                             [](const CommandAccess& access) { return access.memory == nullptr; });
}

HostCheck::HostCheck(Services& services, process::OnPageFault on_access)
    : services_(services), sites_([&services](const process::CodePlace& place) {
        return services.simulator->locate(place);
      }),
      host_memory_(on_access) {}

void HostCheck::made(const void* memory, MadeMemory made) {
  const Lock lock(mutex_);
  made.callers = process::callers_now();
  unwritten_.made(memory, made.unwritten);
  made_[memory] = std::move(made);
}

void HostCheck::retained(const void* memory) {
  const Lock lock(mutex_);
  if (const auto known = made_.find(memory); known != made_.end())
    ++known->second.references;
}

void HostCheck::released(const void* memory) {
  const Lock lock(mutex_);
  const auto known = made_.find(memory);
  if (known == made_.end() || --known->second.references > 0)
    return;
  made_.erase(known);
  touched_.forget(memory);
  unwritten_.forget(memory);
}

void HostCheck::uses_host_memory() {
  const Lock lock(mutex_);
  may_protect_ = false;
}

void HostCheck::made_queue(cl_command_queue queue, cl_command_queue_properties properties) {
  const Lock lock(mutex_);
  order_.made(queue, (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0);
}

void HostCheck::made_event(cl_event event) {
  const Lock lock(mutex_);
  events_[event] = order_.made_event();
}

void HostCheck::set_event(cl_event event) {
  const Lock lock(mutex_);
  if (const CommandPtr command = command_of(event))
    order_.set_event(*command);
}

CommandPtr HostCheck::command_of(cl_event event) const {
  const auto known = events_.find(event);
  return known == events_.end() ? nullptr : known->second;
}

void HostCheck::waited(cl_uint count, const cl_event* events) {
  const Lock lock(mutex_);
  for (cl_uint i = 0; i < count; ++i)
    if (const CommandPtr command = command_of(events[i]))
      order_.host_waits(*command);
  host_memory_.release(order_.host());
}

void HostCheck::finished(cl_command_queue queue) {
  const Lock lock(mutex_);
  order_.host_waits_for(queue);
  host_memory_.release(order_.host());
}

void HostCheck::before(const CommandCall& call) {
  const Lock lock(mutex_);
  for (const CommandAccess& access : call.accesses)
    for (const Touch& one : access.touches)
      if (!access.memory)
        host_memory_.release(reinterpret_cast<const void*>(one.begin), one.size);
}

void HostCheck::put(const CommandCall& call, cl_event event) {
  const CommandPtr command = added(call, event);
  if (!event || call.blocking || command->is_open || !call.uses_host() ||
      !completes(call.queue, event))
    return;
  const Lock lock(mutex_);
  if (!may_protect_ || command->is_before(order_.host()))
    return;
  for (const CommandAccess& access : call.accesses)
    for (const Touch& one : access.touches)
      if (!access.memory)
        host_memory_.protect(command, reinterpret_cast<const void*>(one.begin), one.size,
                             one.write);
}

CommandPtr HostCheck::added(const CommandCall& call, cl_event event) {
  const Lock lock(mutex_);
  std::vector<CommandPtr> waits;
  bool knows_all = true;
  for (cl_uint i = 0; i < call.count; ++i)
    if (const CommandPtr command = command_of(call.events[i]))
      waits.push_back(command);
    else
      knows_all = false; // an event of another library's
  CommandPtr command = order_.put(call.queue, call.kind, waits);
  command->is_open = command->is_open || !knows_all;
  command->what = call.what;
  command->callers = process::callers_now();
  if (event)
    events_[event] = command;
  for (const CommandAccess& access : call.accesses)
    for (const TouchConflict& conflict :
         touched_.add(access.memory, command, access.touches, order_.host()))
      report(call, command, access.memory, conflict);
  note_writes(call);
  if (call.blocking) {
    order_.host_waits(*command);
    host_memory_.release(order_.host());
    return command;
  }
  const auto fills = [](const CommandAccess& access) {
    return !access.memory && std::ranges::any_of(access.touches, &Touch::write);
  };
  std::erase_if(reads_, [&](const CommandPtr& read) { return read->is_before(order_.host()); });
  if (call.maps || std::ranges::any_of(call.accesses, fills))
    reads_.push_back(command);
  return command;
}

void HostCheck::note_writes(const CommandCall& call) {
  if (call.writes_all)
    unwritten_.forget_all();
  if (call.copies && call.accesses.size() == 2 &&
      call.accesses[0].touches.size() == call.accesses[1].touches.size()) {
    const CommandAccess &from = call.accesses[0], &to = call.accesses[1];
    for (std::size_t i = 0; i < to.touches.size(); ++i)
      unwritten_.copied(from.memory, {from.touches[i].begin, from.touches[i].size}, to.memory,
                        to.touches[i].begin);
    if (to.touches.empty())
      unwritten_.forget(to.memory);
    return;
  }
  for (const CommandAccess& access : call.accesses) {
    if (access.touches.empty())
      unwritten_.forget(access.memory);
    for (const Touch& one : access.touches)
      if (one.write)
        unwritten_.written(access.memory, {one.begin, one.size});
  }
}

void HostCheck::find_unwritten(std::vector<GivenArgument>& given) {
  const Lock lock(mutex_);
  for (GivenArgument& argument : given) {
    if (!argument.memory)
      continue;
    if (argument.image) { // perhaps of a buffer
      if (argument.is_written)
        unwritten_.forget(whole_of(argument.memory));
      continue;
    }
    for (const auto& [begin, size] : unwritten_.within(
             whole_of(argument.memory), {offset_in_whole(argument.memory), argument.size}))
      argument.unwritten.push_back({.begin = begin, .size = size});
  }
}

std::string HostCheck::name_of(const void* memory) {
  const auto known = made_.find(memory);
  if (known == made_.end())
    return "a buffer";
  return known->second.what + ", made" + sites_.of(known->second.callers).text;
}

void HostCheck::report(const CommandCall& call, const CommandPtr& command, const void* memory,
                       const TouchConflict& conflict) {
  const CallSite site = sites_.of(command->callers), other = sites_.of(conflict.earlier->callers);
  const auto verb = [](const Touch& touch) { return touch.write ? "writes" : "reads"; };
  const bool same = conflict.earlier->queue == call.queue;
  if (!memory) {
    tell("early_access", site, other,
         fmt::format("{} {} memory of the host that {}{} may still {}; wait for it before, with "
                     "clWaitForEvents() or clFinish(), or give its event",
                     call.what, verb(conflict.of_later), conflict.earlier->what, other.text,
                     conflict.of_earlier.write ? "write" : "read"));
    return;
  }
  tell("queue_race", site, other,
       fmt::format("{} {} byte {} of {}, which {}{} {} in {}, and nothing orders the two; an event "
                   "for which the later command waits would, or a host that waits in between "
                   "(clFinish())",
                   call.what, verb(conflict.of_later), conflict.byte, name_of(memory),
                   conflict.earlier->what, other.text, verb(conflict.of_earlier),
                   same ? "the same queue, which is out of order" : "another queue"));
}

void HostCheck::refused(const CommandCall& call, cl_mem memory, std::size_t offset,
                        std::size_t size) {
  const Lock lock(mutex_);
  const std::size_t all = buffer_size(memory);
  if (all == 0 || (offset <= all && size <= all - offset))
    return;
  const auto known = made_.find(memory);
  const CallSite made = known == made_.end() ? CallSite() : sites_.of(known->second.callers);
  tell("transfer_size", sites_.of(process::callers_now()), made,
       fmt::format("{} is of {} from byte {} on of a buffer of {}{}: only {} are left there, and "
                   "nothing is done",
                   call.what, bytes(size), offset, bytes(all),
                   made.text.empty() ? "" : ", made" + made.text,
                   bytes(all - std::min(all, offset))));
}

bool HostCheck::accessed(const void* at, bool writes, const void* pc) {
  const Lock lock(mutex_);
  const std::shared_ptr<const HostMemory::Use> use = host_memory_.take(at);
  if (!use)
    return false;
  const CallSite other = sites_.of(use->command->callers);
  process::Callers callers = process::callers_now();
  callers.insert(callers.begin(), static_cast<const char*>(pc) + 1); // as a return address
  tell("early_access", sites_.of(callers), other,
       fmt::format("the host {} memory that {}{} may still {}; it has to wait before, with "
                   "clWaitForEvents() or clFinish(), or the call has to block",
                   writes ? "writes" : "reads", use->command->what, other.text,
                   use->writes ? "write" : "read"));
  return true;
}

void HostCheck::end() {
  const Lock lock(mutex_);
  for (const CommandPtr& read : reads_)
    if (!read->is_before(order_.host()) && !read->is_open)
      tell("early_access", sites_.of(read->callers), {},
           fmt::format("nothing waits for {}, which does not block: whatever uses its result does "
                       "so too early",
                       read->what));
  struct Lost {
    CallSite site;
    const MadeMemory* first = nullptr;
    std::size_t count = 0, bytes = 0;
  };
  std::map<std::string, Lost> all;
  for (const auto& [memory, made] : made_) {
    const CallSite site = sites_.of(made.callers);
    Lost& lost = all[site.text];
    if (lost.count++ == 0) {
      lost.site = site;
      lost.first = &made;
    }
    lost.bytes += made.size;
  }
  for (const auto& [text, lost] : all)
    tell("leak", lost.site, {},
         fmt::format("{} that the program has made{} and not released when it ends; {} does that",
                     lost.count == 1 ? lost.first->what
                                     : fmt::format("{} memory objects, {} in all,", lost.count,
                                                   bytes(lost.bytes)),
                     lost.site.place.line == 0 ? text : " here", lost.first->released_by));
}

void HostCheck::tell(const char* kind, const CallSite& site, const CallSite& other,
                     std::string message) {
  if (site.place.line == 0 && !site.text.empty())
    message += fmt::format(" (called{})", site.text);
  if (!told_.insert({kind, site.place.line == 0 ? message : site.text, other.text}).second)
    return;
  const model::Finding finding{.kind = kind,
                               .site = site.place,
                               .message = std::move(message),
                               .other = other.place,
                               // What tells findings without lines apart.
                               .object = site.place.line == 0 ? site.text + other.text : ""};
  services_.log.write(runtime::HostFindingEvent{finding});
}

} // namespace gputest::layer
