#include "simulator/execute/natives.h"

#include "ir/lower.h"
#include "ir/printf.h"
#include "simulator/cuda/natives.h"
#include "simulator/execute/images.h"

namespace gputest::simulator {
namespace {

// Functions called by name have no object: the one place for what they need.
Natives* running = nullptr; // NOLINT

// Where MemorySanitizer's code passes on what it knows of arguments and results.
struct Sanitizer {
  alignas(16) std::uint64_t parameters[128], result[128];
};
Sanitizer sanitizer; // NOLINT

const std::byte* bytes(const gputest_u8* at) {
  return reinterpret_cast<const std::byte*>(at);
}

void pixel_accessed(const std::byte* pixel, std::size_t size, bool write) {
  running->monitor->pixel(pixel, size, write);
}

gputest_u8* outside(gputest_u8* at, gputest_u64 size, const gputest_u8* begin, gputest_u64 length,
                    gputest_u32 object, gputest_u32 site, int write, bool member) {
  return reinterpret_cast<gputest_u8*>(running->monitor->outside(reinterpret_cast<std::byte*>(at),
                                                                 size, bytes(begin), length, object,
                                                                 site, write != 0, member));
}

extern "C" {
int gputest_printf(const char* format, unsigned count, const PrintfArgument* arguments,
                   const unsigned char* slots) {
  running->output += printf_text(format, count, arguments, slots);
  return 0;
}
int gputest_turn(gputest_context*) {
  return running->monitor->turn();
}
void gputest_race(gputest_context*, const gputest_u8* at, gputest_u64 size, gputest_u32 site,
                  int local, int atomic, int write, const gputest_u8* value) {
  running->monitor->race(bytes(at), size, site, local != 0, atomic != 0, write != 0, bytes(value));
}
gputest_u8* gputest_outside(gputest_context*, gputest_u8* at, gputest_u64 size,
                            const gputest_u8* begin, gputest_u64 length, gputest_u32 object,
                            gputest_u32 site, int write) {
  return outside(at, size, begin, length, object, site, write, false);
}
gputest_u8* gputest_outside_member(gputest_context*, gputest_u8* at, gputest_u64 size,
                                   const gputest_u8* begin, gputest_u64 length, gputest_u32 object,
                                   gputest_u32 site, int write) {
  return outside(at, size, begin, length, object, site, write, true);
}
void gputest_pixels(gputest_u32 site) {
  running->monitor->pixels_at(site);
}
gputest_u64 gputest_copy(gputest_u64 item, gputest_u32 site, gputest_u8* to, const gputest_u8* from,
                         gputest_u64 count, gputest_u64 size, gputest_u64 to_stride,
                         gputest_u64 from_stride, gputest_u64 event, int to_local) {
  return running->monitor->copy(item, site,
                                {.to = reinterpret_cast<std::byte*>(to),
                                 .from = bytes(from),
                                 .count = count,
                                 .size = size,
                                 .to_stride = to_stride,
                                 .from_stride = from_stride,
                                 .to_local = to_local != 0},
                                event);
}
void gputest_wait_for(gputest_u64 item, gputest_u32 site, gputest_u32 count, gputest_u32 index,
                      gputest_u64 event) {
  running->monitor->wait(item, site, count, index, event);
}
void gputest_misaligned(gputest_context*, const gputest_u8* at, gputest_u64, gputest_u64 alignment,
                        gputest_u32 site, int write) {
  running->monitor->misaligned(bytes(at), alignment, site, write != 0);
}
void gputest_uninitialized(gputest_context*, gputest_u32 site) {
  running->monitor->uninitialized(site);
}
void gputest_arithmetic(gputest_context*, gputest_u32 site, gputest_u32 fault) {
  running->monitor->arithmetic(site, fault);
}
}

} // namespace

Natives::Natives(Monitor* launch_monitor) : monitor(launch_monitor) {
  running = this;
  watch_pixels(monitor && monitor->watches_pixels() ? pixel_accessed : nullptr);
}

Natives& running_natives() {
  return *running;
}

Natives::~Natives() {
  running = nullptr;
  watch_pixels(nullptr);
}

std::vector<NativeSymbol> native_symbols() {
  std::vector<NativeSymbol> symbols = image_symbols();
  const std::vector<NativeSymbol> others{
      {"gputest_printf", reinterpret_cast<void*>(&gputest_printf)},
      {"gputest_turn", reinterpret_cast<void*>(&gputest_turn)},
      {"gputest_pixels", reinterpret_cast<void*>(&gputest_pixels)},
      {kCopyFunction, reinterpret_cast<void*>(&gputest_copy)},
      {kWaitFunction, reinterpret_cast<void*>(&gputest_wait_for)},
      {"gputest_race", reinterpret_cast<void*>(&gputest_race)},
      {"gputest_outside", reinterpret_cast<void*>(&gputest_outside)},
      {"gputest_outside_member", reinterpret_cast<void*>(&gputest_outside_member)},
      {"gputest_misaligned", reinterpret_cast<void*>(&gputest_misaligned)},
      {"gputest_uninitialized", reinterpret_cast<void*>(&gputest_uninitialized)},
      {"__msan_param_tls", sanitizer.parameters},
      {"__msan_retval_tls", sanitizer.result},
      {"__msan_va_arg_tls", sanitizer.parameters},
      {"__msan_va_arg_overflow_size_tls", sanitizer.result},
      {"gputest_arithmetic", reinterpret_cast<void*>(&gputest_arithmetic)}};
  symbols.insert(symbols.end(), others.begin(), others.end());
  const std::vector<NativeSymbol> of_cuda = cuda::native_symbols();
  symbols.insert(symbols.end(), of_cuda.begin(), of_cuda.end());
  return symbols;
}

} // namespace gputest::simulator
