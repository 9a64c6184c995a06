#include "ir/error.h"
#include "simulator/execute/kept_code.h"
#include "simulator/execute/launch_memory.h"
#include "simulator/service/requests.h"
#include "tests/fuzz/targets.h"

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::fuzz {
namespace {

// kernel void sum(global float* in, local float* part, float scale)
ir::KernelShape shape() {
  using Kind = ir::Parameter::Kind;
  ir::KernelShape made;
  made.name = "sum";
  made.parameters = {{"in", "float*", Kind::Buffer, 0, 8, false},
                     {"part", "float*", Kind::Local, 8, 8, false},
                     {"scale", "float", Kind::Value, 16, 4, false}};
  made.arguments_size = 24;
  for (unsigned i = 0; i < 2; ++i)
    made.objects.push_back({made.parameters[i].name, ir::Object::Kind::Argument, i, 0});
  return made;
}

int memory_file() {
  static const int file = [] {
    const int made = ::memfd_create("gputest-fuzz", MFD_CLOEXEC);
    if (made < 0 || ::ftruncate(made, 1 << 16) != 0)
      throw std::runtime_error("no memory file can be made");
    return made;
  }();
  return file;
}

// What the launch has been given is there.
void touch(const simulator::LaunchMemory& memory) {
  for (const simulator::Region& region : memory.buffers)
    if (region.size != 0) {
      [[maybe_unused]] const std::byte last =
          static_cast<volatile std::byte&>(region.begin[region.size - 1]);
    }
}

} // namespace

bool launches(Bytes bytes) {
  static const ir::KernelShape kernel = shape();
  const auto json = nlohmann::json::parse(text_of(bytes), nullptr, false);
  if (json.is_discarded())
    return false;
  bool any = false;
  try {
    const simulator::LaunchRequest request =
        simulator::launch_request(model::Json(json).get<simulator::wire::Launch>());
    simulator::check_request(kernel, request);
    touch(simulator::LaunchMemory(kernel, request, memory_file(), 1));
    any = true;
  } catch (const ir::InputError&) {
  } catch (const ir::SimulatorFailure&) {
  } catch (const model::FormatError&) { // this and the next: what server.cpp answers as a failure
  } catch (const nlohmann::json::exception&) {
  }
  try {
    model::Json(json).get<ir::KernelShape>();
    any = true;
  } catch (const model::FormatError&) { // this and the next: what the cache takes for no entry
  } catch (const nlohmann::json::exception&) {
  }
  return any;
}

} // namespace gputest::fuzz
