// What every kind of machine must do: a row added to the table is tested here by being there.
#include "runtime/harness/registry.h"
#include "templates/state.h"
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/runtime/abacus/machine.h"
#include "tests/runtime/device_fixture.h"
#include "tests/runtime/simulated_gpu.h"

#include <cstring>
#include <functional>

namespace gputest::runtime {
namespace {

using tests::ContainsSubstring;

constexpr const char* kAdd = R"(
__kernel void add(__global int* data, const int what) {
  data[get_global_id(0)] += what;
}
)";
// What a variant looks like: the state buffer comes last.
constexpr const char* kCount = R"(
__kernel void count(__global int* data, __global uint* state) {
  data[get_global_id(0)] += 1;
  atomic_add(&state[1], state[2]);
}
)";

// The same in CUDA, where the state is a variable.
constexpr const char* kCudaAdd = R"(
__global__ void add(int* data, const int what) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += what;
}
)";
constexpr const char* kCudaCount = R"(
extern "C" { __device__ unsigned gputest_state[4]; }
__global__ void count(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
  atomicAdd(&gputest_state[1], gputest_state[2]);
}
)";

// A kind that runs no OpenCL C is asked in CUDA.
model::Language language_for(const MachineKind& kind) {
  return kind.opencl ? model::Language::OpenCL : model::Language::Cuda;
}
std::unique_ptr<BuiltKernel> build(const MachineKind& kind, Machine& machine,
                                   const std::string& text, const std::string& kernel,
                                   BuildSettings settings = {}) {
  settings.language = language_for(kind);
  return machine.build(text, settings, kernel, kind.opencl ? "kernel.cl" : "kernel.cu");
}
const char* add_for(const MachineKind& kind) {
  return kind.opencl ? kAdd : kCudaAdd;
}
const char* count_for(const MachineKind& kind) {
  return kind.opencl ? kCount : kCudaCount;
}

std::vector<MachineKind> all_kinds() {
  std::vector<MachineKind> kinds(registry().machines.begin(), registry().machines.end());
  kinds.push_back(tests::abacus_kind());
  return kinds;
}

MachineRequest request_for(const MachineKind& kind) {
  return {.device = kind.name == "opencl" ? "0" : std::string(kind.name),
          .simulator = GPUTEST_SIMULATOR_PROGRAM};
}

// The GPU is the simulator behind CUDA's driver API, and the compiler gputest-cuda.
void for_each_machine(const std::function<void(const MachineKind&, Machine&)>& test) {
  tests::require_device();
  const tests::Environment environment(tests::simulated_gpu());
  for (const MachineKind& kind : all_kinds()) {
    INFO("machine: " << kind.name);
    const std::unique_ptr<Machine> machine = kind.open(request_for(kind));
    test(kind, *machine);
  }
}

LaunchArgument buffer_of(const std::vector<cl_int>& values) {
  LaunchArgument argument;
  argument.name = "data";
  argument.kind = LaunchArgument::Kind::Buffer;
  argument.bytes.resize(values.size() * sizeof(cl_int));
  std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  argument.read_back = argument.writable = true;
  return argument;
}

LaunchArgument value_of(cl_int value) {
  LaunchArgument argument;
  argument.name = "what";
  argument.kind = LaunchArgument::Kind::Value;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

std::vector<cl_int> ints_of(std::span<const std::byte> bytes) {
  std::vector<cl_int> values(bytes.size() / sizeof(cl_int));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Launch launch_of_size(std::size_t size) {
  return {.global_size = {size, 1, 1}, .local_size = {2, 1, 1}, .dimensions = 1};
}

} // namespace

TEST_CASE("every kind of machine has a name, a line in the list, and says what it is",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    CHECK_FALSE(kind.name.empty());
    CHECK_FALSE(machine.name().empty());
    CHECK(kind.list(request_for(kind)).ends_with('\n'));
    CHECK(machine.identity().name == machine.name());
    CHECK(machine.largest_group() >= 1);
    CHECK(machine.largest_buffer() >= 1u << 20);
    CHECK(machine.has_atomics());
    CHECK(&kind_for(std::span(&kind, 1), std::string(kind.name), language_for(kind)) == &kind);
  });
}

TEST_CASE("every kind of machine launches kernels and reads back what they leave",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const auto kernel = build(kind, machine, add_for(kind), "add");
    std::vector<LaunchArgument> arguments{buffer_of({1, 2, 3, 4}), value_of(10)};
    Bytes state;
    const LaunchOutcome outcome = kernel->launch(launch_of_size(4), arguments, state);
    CHECK(ints_of(arguments[0].bytes) == std::vector<cl_int>{11, 12, 13, 14});
    CHECK(outcome.out_of_bounds.empty());
    CHECK(outcome.seconds >= 0);
  });
}

TEST_CASE("every kind of machine sees what is written past the end of a buffer",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const auto kernel = build(kind, machine, add_for(kind), "add");
    std::vector<LaunchArgument> arguments{buffer_of({1, 2, 3, 4}), value_of(10)};
    Bytes state;
    const LaunchOutcome outcome = kernel->launch(launch_of_size(6), arguments, state);
    REQUIRE(outcome.out_of_bounds.size() == 1);
    CHECK_THAT(outcome.out_of_bounds.front(), ContainsSubstring("'data'"));
  });
}

TEST_CASE("every kind of machine says what is wrong with a text", "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const std::string broken = std::string(add_for(kind)) + "void broken( {";
    CHECK_THROWS_AS(build(kind, machine, broken, "add"), BuildError);
    CHECK_THROWS_AS(build(kind, machine, add_for(kind), "subtract"), UsageError);
    const BuildSettings wanted{.definitions = {"add=plus"}};
    CHECK_NOTHROW(build(kind, machine, add_for(kind), "plus", wanted));
  });
}

TEST_CASE("on every kind of machine a case starts from its own memory in each run",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const auto kernel = build(kind, machine, count_for(kind), "count");
    BoundCase test_case;
    test_case.arguments = {buffer_of({1, 2, 3, 4})};
    test_case.launch = launch_of_size(4);
    const auto repeated = machine.repeat(test_case, "count", {0}, 4 * sizeof(std::uint32_t));
    const std::array<std::uint32_t, 2> rest{5, 0}; // from the third word on
    repeated->write_state(2 * sizeof(std::uint32_t), std::as_bytes(std::span(rest)));
    const auto prepared = repeated->prepare(*kernel, true);
    for (unsigned i = 0; i < 2; ++i) {
      std::array<std::uint32_t, 2> header{0, 7};
      prepared->run(test_case.launch, std::as_writable_bytes(std::span(header)));
      CHECK(ints_of(repeated->content(0)) == std::vector<cl_int>{2, 3, 4, 5});
      CHECK(header[1] == 7 + 4 * 5);
      CHECK(repeated->overrun().empty());
    }
  });
}

TEST_CASE("on every kind of machine launches follow each other until it is over",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const auto kernel = build(kind, machine, count_for(kind), "count");
    BoundCase test_case;
    test_case.arguments = {buffer_of({0, 0, 0, 0})};
    test_case.launch = launch_of_size(4);
    const auto repeated = machine.repeat(test_case, "count", {0}, 4 * sizeof(std::uint32_t));
    const std::array<std::uint32_t, 2> rest{1, 0};
    repeated->write_state(2 * sizeof(std::uint32_t), std::as_bytes(std::span(rest)));
    const auto prepared = repeated->prepare(*kernel, true);
    std::array<std::uint32_t, 2> header{};
    const std::vector<Launch> three(3, test_case.launch);
    prepared->run(three, std::as_writable_bytes(std::span(header)), {});
    CHECK(ints_of(repeated->content(0)) == std::vector<cl_int>(4, 3));
    CHECK(header[1] == 3 * 4);
    // It is asked now and then, and not after each.
    const std::vector<Launch> many(2000, test_case.launch);
    header = {};
    prepared->run(many, std::as_writable_bytes(std::span(header)), [&] { return header[1] > 0; });
    CHECK(header[1] > 0);
    CHECK(header[1] < 2000 * 4);
  });
}

TEST_CASE("a kind of machine does what its row says, and says so where it cannot",
          "[needs][needs-device]") {
  for_each_machine([](const MachineKind& kind, Machine& machine) {
    const auto kernel = build(kind, machine, add_for(kind), "add");
    std::vector<LaunchArgument> arguments{buffer_of({1, 2}), value_of(1)};
    const bool takes_instructions = kind.orders || kind.checks || kind.interleavings;
    CHECK((machine.simulation() != nullptr) == takes_instructions);
    machine.limit_launches(10);
    if (kind.checks) {
      machine.simulation()->checks = {"bounds"};
      Bytes state;
      CHECK_FALSE(kernel->launch(launch_of_size(4), arguments, state).findings.empty());
    }
    if (kind.interleavings)
      CHECK(kernel->explore(launch_of_size(2), arguments, {0}, {}).end ==
            Exploration::End::Exhausted);
    else
      CHECK_THROWS_AS(kernel->explore(launch_of_size(2), arguments, {0}, {}), DeviceError);
  });
}

TEST_CASE("a kernel is launched by the kind of machine that built it", "[needs][needs-device]") {
  for_each_machine([](const MachineKind&, Machine& machine) {
    BoundCase test_case;
    test_case.arguments = {buffer_of({1, 2}), value_of(1)};
    test_case.launch = launch_of_size(2);
    class Foreign : public BuiltKernel {
      LaunchOutcome launch(const Launch&, std::vector<LaunchArgument>&, Bytes&) override {
        throw DeviceError("not here");
      }
    } foreign;
    const auto repeated = machine.repeat(test_case, "add", {0}, 0);
    CHECK_THROWS_AS(repeated->prepare(foreign, false)->run(test_case.launch, {}), DeviceError);
  });
}

TEST_CASE("a made-up kind of machine is known by its row", "[needs][needs-device]") {
  tests::require_device();
  const std::vector<MachineKind> kinds = all_kinds();
  const auto name_of = [&](const char* device) {
    return kind_for(kinds, device, model::Language::OpenCL).name;
  };
  CHECK(name_of("abacus") == "abacus");
  CHECK(name_of("simulator") == "simulator");
  CHECK(name_of("gpu") == "opencl");
  CHECK(name_of("cuda") == "opencl"); // a part of a platform's name
  CHECK(kind_that(kinds, &MachineKind::checks).name == "simulator");
  CHECK_THROWS_AS(kind_that(std::span(kinds).first(1), &MachineKind::checks), UsageError);
}

TEST_CASE("a host program runs tests on a made-up kind of machine", "[needs][needs-device]") {
  tests::require_device();
  tests::HarnessProject project(
      kAdd, tests::kernel_interface("add", {tests::pointer("data", tests::kInt, true),
                                            tests::by_value("what", tests::kInt)}));
  project.description["arguments"] = {"data:size=4,fill=iota", "what=1"};
  project.description["device"] = "abacus";
  CHECK(project.run().exit_code == 0);
  CHECK(project.result("test.json")["device"] == "abacus");
  CHECK_THAT(project.run({"--list-devices"}).output, ContainsSubstring("abacus: ten wires"));
}

} // namespace gputest::runtime
