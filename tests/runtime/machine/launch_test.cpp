#include "runtime/machine/opencl/launch.h"

#include "runtime/machine/opencl/kernel_memory.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

using namespace gputest;
using namespace gputest::runtime;
using namespace gputest::tests;

namespace {

struct Runner {
  Context context;
  BuiltProgram program;

  explicit Runner(const std::string& source, const BuildSettings& settings = {})
      : context((require_device(), choose_device(""))),
        program(build_program(context, source, settings, "test.cl")) {}

  LaunchOutcome run(std::vector<LaunchArgument>& arguments, Launch launch, Bytes state = {}) {
    return launch_kernel(context, make_kernel(program, "k", "test.cl"), launch, arguments, state);
  }
};

template <class T> Bytes bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return Bytes(bytes.begin(), bytes.end());
}

LaunchArgument buffer(std::size_t elements) {
  LaunchArgument argument;
  argument.name = "out";
  argument.kind = LaunchArgument::Kind::Buffer;
  argument.bytes.resize(elements * 4);
  argument.element_size = 4;
  argument.read_back = true;
  return argument;
}

LaunchArgument value(int number) {
  LaunchArgument argument;
  argument.name = "n";
  argument.bytes = bytes_of(std::vector<int>{number});
  return argument;
}

LaunchArgument local(std::size_t size) {
  LaunchArgument argument;
  argument.name = "scratch";
  argument.kind = LaunchArgument::Kind::Local;
  argument.local_size = size;
  return argument;
}

Launch one_dimension(std::size_t global, std::size_t group) {
  Launch launch;
  launch.global_size[0] = global;
  launch.local_size[0] = group;
  if (group == 0)
    launch.local_size.fill(0);
  return launch;
}

LaunchArgument image(const char* type, std::vector<std::size_t> shape, const Bytes& pixels,
                     bool writable) {
  LaunchArgument argument;
  argument.name = "image";
  argument.kind = LaunchArgument::Kind::Image;
  argument.image = image_layout(type, shape, "R", "float", "image");
  argument.bytes = pixels;
  argument.writable = writable;
  argument.read_back = writable;
  return argument;
}

} // namespace

TEST_CASE("buffers, values, local memory and offsets reach the kernel", "[needs][needs-device]") {
  Runner runner(
      "kernel void k(global int* out, int n, local int* scratch) {"
      "  int l = get_local_id(0); scratch[l] = n * (int)get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0) - get_global_offset(0)] = scratch[get_local_size(0) - 1 - l]; }");
  std::vector<LaunchArgument> arguments{buffer(4), value(10), local(8)};
  Launch launch = one_dimension(4, 2);
  launch.global_offset[0] = 2;
  CHECK(runner.run(arguments, launch).out_of_bounds.empty());
  CHECK(arguments[0].bytes == bytes_of(std::vector<int>{30, 20, 50, 40}));
}

TEST_CASE("null pointers reach the kernel", "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out, global int* p, constant int* q) {"
                "  out[0] = p ? p[0] : 7; out[1] = q ? q[0] : 8; if (p) p[0] = 5; }");
  LaunchArgument null = buffer(0), memory = buffer(1);
  null.is_null = true; // and read back, of which nothing comes
  memory.bytes = bytes_of(std::vector<int>{3});
  std::vector<LaunchArgument> arguments{buffer(2), null, memory};
  CHECK(runner.run(arguments, one_dimension(1, 1)).out_of_bounds.empty());
  CHECK(arguments[0].bytes == bytes_of(std::vector<int>{7, 3}));
  CHECK(arguments[2].bytes == bytes_of(std::vector<int>{3}));
  arguments = {buffer(2), memory, null};
  CHECK(runner.run(arguments, one_dimension(1, 1)).out_of_bounds.empty());
  CHECK(arguments[0].bytes == bytes_of(std::vector<int>{3, 8}));
  CHECK(arguments[1].bytes == bytes_of(std::vector<int>{5}));
}

TEST_CASE("a write past the end of a buffer is found in the guard zone", "[needs][needs-device]") {
  Runner runner("kernel void k(global uchar* out) { out[256] = 1; out[257] = 2; out[261] = 3; }");
  std::vector<LaunchArgument> arguments{buffer(64)};
  const LaunchOutcome outcome = runner.run(arguments, one_dimension(1, 1));
  REQUIRE(outcome.out_of_bounds.size() == 1);
  CHECK(outcome.out_of_bounds[0] ==
        "kernel 'k' wrote 8 bytes past the end of 'out' (64 elements), first at index 64");
}

TEST_CASE("all bytes of an element past the end count, even if some are what they were",
          "[needs][needs-device]") {
  Runner runner("kernel void k(global uint* out) { out[64] = 0x80a5; out[66] = 0; }");
  std::vector<LaunchArgument> arguments{buffer(64)};
  const LaunchOutcome outcome = runner.run(arguments, one_dimension(1, 1));
  REQUIRE(outcome.out_of_bounds.size() == 1);
  CHECK(outcome.out_of_bounds[0] ==
        "kernel 'k' wrote 8 bytes past the end of 'out' (64 elements), first at index 64");
}

TEST_CASE("two- and three-dimensional launches", "[needs][needs-device]") {
  Runner runner(
      "kernel void k(global int* out) { size_t i = (get_global_id(2) * get_global_size(1) + "
      "get_global_id(1)) * get_global_size(0) + get_global_id(0); out[i] = (int)get_work_dim() * "
      "100 + (int)i; }");
  for (const unsigned dimensions : {2u, 3u}) {
    std::vector<LaunchArgument> arguments{buffer(12)};
    Launch launch;
    launch.dimensions = dimensions;
    launch.global_size = {3, 2, dimensions == 3 ? 2u : 1u};
    launch.local_size = {3, 1, 1};
    runner.run(arguments, launch);
    CHECK(load<int>(arguments[0].bytes.data() + 20) == static_cast<int>(dimensions) * 100 + 5);
  }
}

TEST_CASE("more local memory than there is said to be: both numbers", "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out, local int* scratch) {"
                "  scratch[get_local_id(0)] = 1; out[0] = scratch[0]; }");
  const std::vector<LaunchArgument> arguments{buffer(1), local(std::size_t{1} << 40)};
  const std::string message =
      beyond_limits(runner.context, make_kernel(runner.program, "k", "test.cl"),
                    one_dimension(1, 1), arguments, false);
  // The device may add a little of its own.
  CHECK(contains(message, "it needs 10995116277"));
  CHECK(contains(message, " bytes of local memory ('scratch': 1099511627776), "));
  const auto available = runner.context.device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  CHECK(contains(message, " says that it has " + std::to_string(available)));
}

TEST_CASE("a last work-group that is not full runs, or the device is said to have no such",
          "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out) { out[get_global_id(0)] = get_local_size(0); }",
                {.include_dirs = {}, .cl_std = "CL3.0"});
  std::vector<LaunchArgument> arguments{buffer(5)};
  if (has_remainders(runner.context.device)) {
    runner.run(arguments, one_dimension(5, 2));
    CHECK(arguments[0].bytes == bytes_of(std::vector<int>{2, 2, 2, 2, 1}));
    return;
  }
  CHECK(
      contains(message_of<DeviceError>([&] { runner.run(arguments, one_dimension(5, 2)); }),
               "kernel 'k': global size 5 is not a multiple of local size 2 in dimension 0, and " +
                   runner.context.device.name + " has no work-groups of other sizes"));
  CHECK_FALSE(has_remainders(
      {.device = {}, .name = "", .platform = "", .type = "", .version = "OpenCL 1.2 old"}));
  CHECK(has_remainders(
      {.device = {}, .name = "", .platform = "", .type = "", .version = "OpenCL 2.1 newer"}));
}

TEST_CASE("a work-group that is too large: both numbers", "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out) { out[0] = 1; }");
  std::vector<LaunchArgument> arguments{buffer(1)};
  const std::string message =
      message_of<DeviceError>([&] { runner.run(arguments, one_dimension(1 << 24, 1 << 24)); });
  CHECK(contains(message, "has 16777216 work-items"));
  CHECK(contains(message, "runs at most"));
}

TEST_CASE("failing calls are exceptions with the call and the error", "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out, long n) { out[0] = n; }");
  std::vector<LaunchArgument> arguments{buffer(1), value(3)};
  const std::string message =
      message_of<DeviceError>([&] { runner.run(arguments, one_dimension(1, 1)); });
  CHECK(contains(message, "kernel 'k', argument 'n': clSetKernelArg failed: CL_INVALID_ARG_SIZE"));
}

TEST_CASE("a program that does not build: the whole log", "[needs][needs-device]") {
  require_device();
  const Context context(choose_device(""));
  try {
    build_program(context,
                  "#line 1 \"my.cl\"\nkernel void k(global int* out) {\n  out[0] = missing;\n}",
                  {.definitions = {"N=1"}}, "my.cl");
    FAIL("it built");
  } catch (const BuildError& error) {
    CAPTURE(error.what());
    CHECK(contains(error.what(), "my.cl: error: does not build for"));
    CHECK(contains(error.what(), "missing"));
    CHECK(contains(error.log, "my.cl:2"));
  }
}

TEST_CASE("a kernel that is not there: the names of those that are", "[needs][needs-device]") {
  Runner runner("kernel void one() {} kernel void two() {}");
  const std::string message =
      message_of<UsageError>([&] { make_kernel(runner.program, "three", "test.cl"); });
  CHECK(contains(message, "test.cl: error: there is no kernel 'three'; there are: "));
  CHECK(contains(message, "one"));
  CHECK(contains(message, "two"));
}

TEST_CASE("definitions and include folders with spaces", "[needs][needs-device]") {
  require_device();
  const TemporaryFolder folder;
  folder.write("a folder/value.h", "#define VALUE 42\n");
  const Context context(choose_device(""));
  BuildSettings settings{{}, {"TWICE(x)=((x) + (x))"}, {folder.path() / "a folder"}, "CL1.2"};
  const BuiltProgram program = build_program(
      context, "#include \"value.h\"\nkernel void k(global int* out) { out[0] = TWICE(VALUE); }",
      settings, "test.cl");
  std::vector<LaunchArgument> arguments{buffer(1)};
  Bytes state;
  launch_kernel(context, make_kernel(program, "k", ""), one_dimension(1, 1), arguments, state);
  CHECK(load<int>(arguments[0].bytes.data()) == 84);
}

TEST_CASE("images of every type are read", "[needs][needs-device]") {
  require_device();
  struct Case {
    const char* type;
    std::vector<std::size_t> shape;
    const char* coordinates;
    float expected; // pixel i holds i
  };
  const auto [type, shape, coordinates, expected] = GENERATE(
      Case{"image1d_t", {8}, "3", 3}, Case{"image1d_array_t", {4, 2}, "(int2)(1, 1)", 5},
      Case{"image2d_t", {4, 2}, "(int2)(1, 1)", 5},
      Case{"image2d_array_t", {2, 2, 2}, "(int4)(1, 0, 1, 0)", 5},
      Case{"image3d_t", {2, 2, 2}, "(int4)(1, 1, 1, 0)", 7}, Case{"image1d_buffer_t", {8}, "6", 6});
  CAPTURE(type);
  const bool sampled = std::string(type) != "image1d_buffer_t";
  Runner runner("kernel void k(global float* out, read_only " + std::string(type) +
                " image, sampler_t s) { out[0] = read_imagef(image, " + (sampled ? "s, " : "") +
                coordinates + ").x; }");
  std::vector<float> pixels(8);
  for (std::size_t i = 0; i < 8; ++i)
    pixels[i] = static_cast<float>(i);
  LaunchArgument sampler;
  sampler.name = "s";
  sampler.kind = LaunchArgument::Kind::Sampler;
  std::vector<LaunchArgument> arguments{buffer(1), image(type, shape, bytes_of(pixels), false),
                                        sampler};
  runner.run(arguments, one_dimension(1, 1));
  CHECK(load<float>(arguments[0].bytes.data()) == expected);
}

TEST_CASE("images are written and read back", "[needs][needs-device]") {
  Runner runner("kernel void k(write_only image2d_t image) {"
                "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
                "  write_imagef(image, p, (float4)(p.x + 10 * p.y, 0, 0, 0)); }");
  std::vector<LaunchArgument> arguments{image("image2d_t", {3, 2}, Bytes(24), true)};
  Launch launch;
  launch.dimensions = 2;
  launch.global_size = {3, 2, 1};
  launch.local_size.fill(0);
  runner.run(arguments, launch);
  CHECK(arguments[0].bytes == bytes_of(std::vector<float>{0, 1, 2, 10, 11, 12}));
}

TEST_CASE("the state buffer is one more argument, and comes back", "[needs][needs-device]") {
  Runner runner("kernel void k(global int* out, global uint* state) { state[1] = 7 + state[0]; "
                "out[0] = 1; }");
  std::vector<LaunchArgument> arguments{buffer(1)};
  Bytes state = bytes_of(std::vector<int>{3, 0});
  launch_kernel(runner.context, make_kernel(runner.program, "k", ""), one_dimension(1, 1),
                arguments, state);
  CHECK(load<int>(state.data() + 4) == 10);
}

TEST_CASE("a program that needs what the device lacks: the feature's name",
          "[needs][needs-device]") {
  require_device();
  const Context context(choose_device(""));
  const auto refusal = [&](const std::string& text, const std::string& cl_std) {
    try {
      build_program(context, "kernel void k(global int* a) {" + text + "}", {.cl_std = cl_std},
                    "my.cl");
    } catch (const NoDevice& error) {
      return std::string(error.what());
    } catch (const BuildError& error) {
      return "does not build: " + error.log;
    }
    return std::string("builds");
  };
  const struct {
    const char *text, *feature;
  } needy[] = {
      {"a[0] = sub_group_reduce_add(1);", "cl_khr_subgroups"},
      {"a[0] = get_max_sub_group_size();", "cl_khr_subgroups"},
      {"a[0] = sub_group_shuffle_xor(a[1], 1);", "cl_khr_subgroup_shuffle"},
      {"a[0] = sub_group_non_uniform_all(1);", "cl_khr_subgroup_non_uniform_vote"},
      {"a[0] = intel_sub_group_shuffle(a[1], 1);", "cl_intel_subgroups"},
      {"a[0] = work_group_scan_inclusive_add(1);", "__opencl_c_work_group_collective_functions"},
      {"half x = a[0]; a[0] = x * x;", "cl_khr_fp16"},
      {"} global int shared; kernel void l() {", "__opencl_c_program_scope_global_variables"},
      {"int* p = a; *p = 1;", "__opencl_c_generic_address_space"},
      {"} kernel void l(read_only pipe int p) {", "__opencl_c_pipes"}};
  for (const auto& [text, feature] : needy) {
    CAPTURE(text);
    const std::string said = refusal(text, "CL3.0");
    CHECK((said == "builds" ||
           contains(said, "does not compile my.cl, which needs " + std::string(feature))));
  }
  // Faults of the source's own.
  CHECK(contains(refusal("int pipe = 1; a[0] = pipe + nothing;", "CL1.2"), "does not build"));
  CHECK(contains(refusal("int sub_group_id = 1; a[0] = nothing;", "CL1.2"), "does not build"));
  CHECK(contains(refusal("int* p = a;", "CL1.2"), "does not build"));
  CHECK(refusal("int pipe = 1; a[0] = pipe;", "CL1.2") == "builds");
}
