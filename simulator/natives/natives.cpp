// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/natives/natives.h"

#include "ir/lowered_names.h"
#include "ir/printf.h"
#include "simulator/memory/images.h"
#include "simulator/natives/cuda.h"
#include "simulator/natives/device_queue.h"
#include "simulator/natives/pipes.h"

#include <bit>
#include <cmath>

namespace gputest::simulator {
namespace {

// Kernels call functions by name, without an object. This is their object.
Natives* running = nullptr; // NOLINT

extern "C" {
int gputest_printf(const char* format, unsigned count, const ir::PrintfArgument* arguments,
                   const unsigned char* slots) {
  running->output += ir::printf_text(format, count, arguments, slots);
  return 0;
}
int gputest_turn(gputest_context*) {
  return running->monitor->turn();
}
gputest_u64 gputest_copy(gputest_u64 item, gputest_u32 site, gputest_u8* to, const gputest_u8* from,
                         gputest_u64 count, gputest_u64 size, gputest_u64 to_stride,
                         gputest_u64 from_stride, gputest_u64 event, int to_local) {
  return running->monitor->copies().copy(item, site,
                                         {.to = reinterpret_cast<std::byte*>(to),
                                          .from = reinterpret_cast<const std::byte*>(from),
                                          .count = count,
                                          .size = size,
                                          .to_stride = to_stride,
                                          .from_stride = from_stride,
                                          .to_local = to_local != 0},
                                         event);
}
void gputest_wait_for(gputest_u64 item, gputest_u32 site, gputest_u32 count, gputest_u32 index,
                      gputest_u64 event) {
  running->monitor->copies().wait(item, site, count, index, event);
}
void gputest_report(gputest_context*, gputest_u32 site, gputest_u32 message) {
  running->monitor->report(site, message);
}
// `offset`: in bytes from the beginning of an array with elements of `size` bytes.
void gputest_report_element(gputest_context*, gputest_u32 site, gputest_u32 message,
                            gputest_u64 offset, gputest_u64 size) {
  running->monitor->report(site, message, offset / size);
}
}

} // namespace

Natives::Natives(Monitor* launch_monitor, std::unique_ptr<LanguageState> launch_state)
    : monitor(launch_monitor), language(std::move(launch_state)) {
  running = this;
}

Watch& running_watch(const Check& check) {
  return running->monitor->watch(check);
}

Natives& running_natives() {
  return *running;
}

void Natives::enter() {
  running = this;
}

Natives::~Natives() {
  if (running == this)
    running = nullptr;
}

namespace {

// LLVM's code rounds to bf16 with this function of compiler-rt. GCC's library has none before 13.
// The bf16 is in the lower half of the register in which a float is returned.
float round_to_bf16(float number) {
  auto bits = std::bit_cast<std::uint32_t>(number);
  bits = std::isnan(number) ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return std::bit_cast<float>(bits >> 16);
}

} // namespace

std::vector<NativeSymbol> native_symbols(const Checks& checks) {
  std::vector<NativeSymbol> symbols{
      {"__truncsfbf2", reinterpret_cast<void*>(&round_to_bf16)},
      {"gputest_printf", reinterpret_cast<void*>(&gputest_printf)},
      {"gputest_turn", reinterpret_cast<void*>(&gputest_turn)},
      {ir::kCopyFunction, reinterpret_cast<void*>(&gputest_copy)},
      {ir::kWaitFunction, reinterpret_cast<void*>(&gputest_wait_for)},
      {"gputest_report", reinterpret_cast<void*>(&gputest_report)},
      {"gputest_report_element", reinterpret_cast<void*>(&gputest_report_element)}};
  const auto add = [&](const std::vector<NativeSymbol>& more) {
    symbols.insert(symbols.end(), more.begin(), more.end());
  };
  add(image_symbols());
  add(device_queue_symbols());
  add(pipe_symbols());
  add(cuda::native_symbols());
  for (const Check* check : checks)
    add(check->natives);
  return symbols;
}

} // namespace gputest::simulator
