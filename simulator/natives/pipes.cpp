// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/natives/pipes.h"

#include "model/text/plural.h"
#include "simulator/natives/natives.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

Pipes& pipes() {
  return *running_natives().pipes;
}

extern "C" {
void gputest_pipe_site(std::uint32_t site) {
  pipes().come_to(site);
}
void* gputest_pipe_packet(std::uint32_t size) {
  return pipes().packet(size);
}
int gputest_pipe_move(const void* pipe, std::uint32_t size, int write) {
  return pipes().move(pipe, size, write != 0);
}
int gputest_pipe_move_at(const void* pipe, std::uint32_t size, int write, std::uint64_t reservation,
                         std::uint32_t index) {
  return pipes().move_at(pipe, size, write != 0, reservation, index);
}
std::uint64_t gputest_pipe_reserve(const void* pipe, std::uint32_t size, int write,
                                   std::uint32_t packets) {
  return pipes().reserve(pipe, size, write != 0, packets);
}
void gputest_pipe_commit(const void* pipe, std::uint32_t size, int write,
                         std::uint64_t reservation) {
  pipes().commit(pipe, size, write != 0, reservation);
}
std::uint32_t gputest_pipe_packets(const void* pipe, std::uint32_t size) {
  return pipes().packets(pipe, size);
}
std::uint32_t gputest_pipe_most(const void* pipe, std::uint32_t size) {
  return pipes().most(pipe, size);
}
}

} // namespace

Pipes::Pipes(const ir::KernelShape& shape,
             std::span<const gputest_context::gputest_object> objects) {
  for (std::size_t i = 0; i < shape.objects.size() && i < objects.size(); ++i) {
    const ir::Object& object = shape.objects[i];
    if (object.kind != ir::Object::Kind::Argument)
      continue;
    const ir::Parameter& parameter = shape.parameters[object.parameter];
    if (parameter.pipe)
      pipes_[objects[i].begin] = {.begin = reinterpret_cast<std::byte*>(objects[i].begin),
                                  .size = static_cast<std::size_t>(objects[i].size),
                                  .full = parameter.constant}; // read_only
  }
}

void Pipes::keep(const gputest_context::gputest_object& object) {
  const auto found = pipes_.find(object.begin);
  Counts counts;
  if (found == pipes_.end() || found->second.size < sizeof counts)
    return;
  Pipe& one = found->second;
  one.size -= sizeof counts;
  one.full = false;
  one.counts = one.begin + one.size;
  std::memcpy(&counts, one.counts, sizeof counts);
  one.read.next = one.read.done = counts.read;
  one.write.next = one.write.done = counts.written;
}

std::byte* Pipes::packet(std::uint32_t size) {
  packet_.resize(std::max<std::size_t>(packet_.size(), size));
  return packet_.data();
}

Pipes::Pipe* Pipes::pipe(const void* at, std::uint32_t size) {
  const auto found = pipes_.find(at);
  if (found == pipes_.end())
    return nullptr;
  Pipe& one = found->second;
  if (std::exchange(one.full, false))
    one.write.next = one.write.done = one.size / size;
  return &one;
}

void Pipes::End::settle() {
  for (; !open.empty() && open.front().committed; open.pop_front())
    done = open.front().first + open.front().packets;
  if (open.empty())
    done = next;
}

Pipes::Reservation* Pipes::reservation(End& end, std::uint64_t number) {
  const auto found = std::ranges::find(end.open, number, &Reservation::number);
  return found == end.open.end() || found->committed ? nullptr : &*found;
}

Pipes::Reservation* Pipes::take(Pipe& pipe, std::uint32_t size, bool write, std::uint32_t packets) {
  End& end = write ? pipe.write : pipe.read;
  const std::uint64_t limit = write ? pipe.read.done + pipe.size / size : pipe.write.done;
  if (packets > limit - end.next)
    return nullptr;
  end.open.push_back(
      {.number = ++numbers_, .first = end.next, .packets = packets, .place = places_->at(site_)});
  end.next += packets;
  return &end.open.back();
}

void Pipes::copy(Pipe& pipe, std::uint32_t size, bool write, std::uint64_t packet) {
  std::byte* const place = pipe.begin + packet % (pipe.size / size) * size;
  if (write)
    std::memcpy(place, packet_.data(), size);
  else
    std::memcpy(this->packet(size), place, size);
}

int Pipes::move(const void* at, std::uint32_t size, bool write) {
  Pipe* const one = pipe(at, size);
  Reservation* const taken = one ? take(*one, size, write, 1) : nullptr;
  if (!taken)
    return -1;
  copy(*one, size, write, taken->first);
  taken->committed = true;
  (write ? one->write : one->read).settle();
  return 0;
}

int Pipes::move_at(const void* at, std::uint32_t size, bool write, std::uint64_t number,
                   std::uint32_t index) {
  Pipe* const one = pipe(at, size);
  const Reservation* const taken =
      one ? reservation(write ? one->write : one->read, number) : nullptr;
  if (!taken || index >= taken->packets) {
    tell("out_of_bounds", places_->at(site_),
         taken ? fmt::format("{} packet {} of a reservation of {}", write ? "writes" : "reads",
                             index, taken->packets)
               : "uses a reservation that is not one of this pipe, or that is committed");
    return -1;
  }
  copy(*one, size, write, taken->first + index);
  return 0;
}

std::uint64_t Pipes::reserve(const void* at, std::uint32_t size, bool write,
                             std::uint32_t packets) {
  Pipe* const one = pipe(at, size);
  const Reservation* const taken = one && packets > 0 ? take(*one, size, write, packets) : nullptr;
  return taken ? taken->number : 0;
}

void Pipes::commit(const void* at, std::uint32_t size, bool write, std::uint64_t number) {
  Pipe* const one = pipe(at, size);
  if (!one)
    return;
  End& end = write ? one->write : one->read;
  if (Reservation* const taken = reservation(end, number))
    taken->committed = true;
  else
    tell("out_of_bounds", places_->at(site_),
         "commits a reservation that is not one of this pipe, or that is committed");
  end.settle();
}

std::uint32_t Pipes::packets(const void* at, std::uint32_t size) {
  const Pipe* const one = pipe(at, size);
  return one ? static_cast<std::uint32_t>(one->write.done - one->read.next) : 0;
}

std::uint32_t Pipes::most(const void* at, std::uint32_t size) {
  const Pipe* const one = pipe(at, size);
  return one ? static_cast<std::uint32_t>(one->size / size) : 0;
}

void Pipes::tell(const char* kind, const model::CodePlace& place, const std::string& message) {
  for (Finding& known : findings_)
    if (known.kind == kind && known.site == place) {
      ++known.count;
      return;
    }
  findings_.push_back({.kind = kind, .site = place, .message = "a work-item " + message});
}

std::vector<Finding> Pipes::findings(bool ended) {
  for (const auto& [at, one] : pipes_)
    if (const Counts counts{.read = one.read.done, .written = one.write.done}; one.counts)
      std::memcpy(one.counts, &counts, sizeof counts);
  if (ended)
    for (const auto& [at, one] : pipes_)
      for (const End* end : {&one.read, &one.write})
        for (const Reservation& left : end->open)
          if (!left.committed)
            tell("missing_commit", left.place,
                 fmt::format("reserves {}, and nobody commits them",
                             model::plural(left.packets, "packet")));
  return std::exchange(findings_, {});
}

std::vector<NativeSymbol> pipe_symbols() {
  return {{"gputest_pipe_site", reinterpret_cast<void*>(&gputest_pipe_site)},
          {"gputest_pipe_packet", reinterpret_cast<void*>(&gputest_pipe_packet)},
          {"gputest_pipe_move", reinterpret_cast<void*>(&gputest_pipe_move)},
          {"gputest_pipe_move_at", reinterpret_cast<void*>(&gputest_pipe_move_at)},
          {"gputest_pipe_reserve", reinterpret_cast<void*>(&gputest_pipe_reserve)},
          {"gputest_pipe_commit", reinterpret_cast<void*>(&gputest_pipe_commit)},
          {"gputest_pipe_packets", reinterpret_cast<void*>(&gputest_pipe_packets)},
          {"gputest_pipe_most", reinterpret_cast<void*>(&gputest_pipe_most)}};
}

} // namespace gputest::simulator
