// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipes of a launch (OpenCL C 2.0, 6.13.16). A pipe is a buffer of packets: what is to be read
// is full of them at first, and what is to be written is empty and gets them in order.
#pragma once

#include "ir/kernel.h"
#include "simulator/checks/finding.h"
#include "simulator/memory/native_symbol.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gputest::simulator {

class Pipes {
public:
  // `objects`: those of the launch, by the shape's numbers.
  Pipes(const ir::KernelShape& shape, std::span<const gputest_context::gputest_object> objects);

  // The pipe keeps its packets from launch to launch: its memory ends with Counts.
  void keep(const gputest_context::gputest_object& object);

  void enter(const std::vector<model::CodePlace>& site_places) { places_ = &site_places; }
  void come_to(std::uint32_t site) { site_ = site; } // which the next call is of

  // Calls of kernels. `size`: bytes of a packet. Packets go to and from packet(). The results of
  // move() and move_at() are OpenCL's. 0 is no reservation.
  std::byte* packet(std::uint32_t size);
  int move(const void* pipe, std::uint32_t size, bool write);
  int move_at(const void* pipe, std::uint32_t size, bool write, std::uint64_t reservation,
              std::uint32_t index);
  std::uint64_t reserve(const void* pipe, std::uint32_t size, bool write, std::uint32_t packets);
  void commit(const void* pipe, std::uint32_t size, bool write, std::uint64_t reservation);
  std::uint32_t packets(const void* pipe, std::uint32_t size);
  std::uint32_t most(const void* pipe, std::uint32_t size);

  // Returns what is wrong with the calls. `ended`: no more follow.
  std::vector<Finding> findings(bool ended);

private:
  struct Counts { // of packets, since the pipe was made
    std::uint64_t read = 0, written = 0;
  };
  struct Reservation {
    std::uint64_t number = 0;
    std::uint64_t first = 0; // the number of its first packet, counted as Counts
    std::uint32_t packets = 0;
    bool committed = false;
    model::CodePlace place;
  };
  // One end of a pipe: packets before `done` are, and those before `next` are reserved.
  struct End {
    std::uint64_t next = 0, done = 0;
    std::deque<Reservation> open{};

    void settle(); // moves `done` behind the reservations that are committed
  };
  struct Pipe {
    std::byte* begin = nullptr;
    std::size_t size = 0;        // bytes
    std::byte* counts = nullptr; // if it keeps its packets
    bool full = false; // of packets that nobody has counted, as their size is not yet known
    End read{}, write{};
  };

  Pipe* pipe(const void* at, std::uint32_t size);
  Reservation* reservation(End& end, std::uint64_t number);
  // Reserves packets, if there are so many.
  Reservation* take(Pipe& pipe, std::uint32_t size, bool write, std::uint32_t packets);
  void copy(Pipe& pipe, std::uint32_t size, bool write, std::uint64_t packet);
  void tell(const char* kind, const model::CodePlace& place, const std::string& message);

  std::map<const void*, Pipe> pipes_;
  std::vector<std::byte> packet_;
  std::uint64_t numbers_ = 0;
  std::uint32_t site_ = 0;
  const std::vector<model::CodePlace>* places_ = nullptr;
  std::vector<Finding> findings_;
};

std::vector<NativeSymbol> pipe_symbols();

} // namespace gputest::simulator
