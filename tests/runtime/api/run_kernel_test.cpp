#include "gputest/run_kernel.h"

#include "tests/catch.h"
#include "tests/runtime/api/value_sizes.h"
#include "tests/runtime/device_fixture.h"

#include <array>
#include <numeric>

using namespace gputest;
using namespace gputest::tests;

namespace {

struct Body {
  cl_float4 position;
  cl_int id;
  cl_int padding[3];
};

struct KernelFile {
  TemporaryFolder folder;
  std::filesystem::path file;

  explicit KernelFile(const std::string& text) : file(folder.write("kernel.cl", text)) {
    require_device();
  }
};

constexpr const char* kAdd = "kernel void vector_add(global const float* a, global const float* b,"
                             " global float* c, int n) {"
                             "  int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }";

} // namespace

TEST_CASE("vectors go in, results come out", "[needs][needs-device]") {
  const KernelFile source(kAdd);
  const std::vector<float> a{1, 2, 3, 4}, b{10, 20, 30, 40};
  std::vector<float> c(4);
  const Result result =
      run_kernel(source.file, "vector_add", {.global_size = {4}, .local_size = {2}}, a, b, c, 4);
  CHECK(c == std::vector<float>{11, 22, 33, 44});
  CHECK(result.seconds > 0);
  CHECK_FALSE(result.device.empty());

  const Result other = run_kernel(source.file, "vector_add", {.global_size = {4}}, std::span(a),
                                  std::array<float, 4>{1, 1, 1, 1}, out<float>(4), 3);
  CHECK(other.output<float>(2) == std::vector<float>{2, 3, 4, 0});
  CHECK(other.output<float>("c") == other.output<float>(2));
  CHECK_THROWS_AS(other.output<float>("a"), UsageError);
  CHECK_THROWS_AS(other.output<float>(0), UsageError);
}

TEST_CASE("structs, vectors, local memory, definitions", "[needs][needs-device]") {
  const KernelFile source(
      "typedef struct { float4 position; int id; } Body;"
      "kernel void k(global Body* bodies, Body one, float4 by, local float* scratch, long big) {"
      "  size_t i = get_global_id(0); scratch[get_local_id(0)] = STEP;"
      "  bodies[i].position += one.position + by * scratch[get_local_id(0)];"
      "  bodies[i].id = one.id + (int)(big >> 40); }");
  std::vector<Body> bodies(2);
  Body one{};
  one.position.s[0] = 1;
  one.id = 7;
  cl_float4 by{};
  by.s[1] = 2;
  run_kernel(source.file, "k",
             {.global_size = {2}, .local_size = {1}, .definitions = {"STEP=3.0f"}}, bodies, one, by,
             local<float>(1), cl_long{1} << 41);
  CHECK(bodies[1].position.s[0] == 1.0f);
  CHECK(bodies[1].position.s[1] == 6.0f);
  CHECK(bodies[1].id == 9);
}

TEST_CASE("components stand for vectors", "[needs][needs-device]") {
  const KernelFile source(
      "kernel void k(global float4* v, global const int3* w) { v[0] = v[0] * 2 + w[1].z; }");
  std::vector<float> v{1, 2, 3, 4};
  const std::vector<cl_int> w{0, 0, 0, 0, 0, 0, 5, 0};
  run_kernel(source.file, "k", {.global_size = {1}}, v, w);
  CHECK(v == std::vector<float>{7, 9, 11, 13});
}

TEST_CASE("run_kernel takes images and samplers", "[needs][needs-device]") {
  const KernelFile source(
      "kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {"
      "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imagef(out, p, read_imagef(in, s, p.yx) * 2); }");
  const std::vector<float> in{1, 2, 3, 4};
  std::vector<float> out(4);
  run_kernel(source.file, "k", {.global_size = {2, 2}}, image2d(in, 2, 2, {CL_R, CL_FLOAT}),
             image2d(out, 2, 2, {CL_R, CL_FLOAT}), Sampler{});
  CHECK(out == std::vector<float>{2, 6, 4, 8});
  const std::string message = message_of<UsageError>([&] {
    run_kernel(source.file, "k", {.global_size = {1, 1}}, image2d(in, 3, 2, {CL_R, CL_FLOAT}),
               image2d(out, 2, 2, {CL_R, CL_FLOAT}), Sampler{});
  });
  CHECK(contains(message, "the image needs 24 bytes, 16 were given"));
  const std::string other = message_of<UsageError>([&] {
    run_kernel(source.file, "k", {.global_size = {1, 1}}, image3d(in, 2, 2, 1, {CL_R, CL_FLOAT}),
               image2d(out, 2, 2, {CL_R, CL_FLOAT}), Sampler{});
  });
  CHECK(contains(other, "argument 0 'in' is 'image2d_t', but an 'image3d_t' was given"));
}

TEST_CASE("wrong arguments are named, with what is declared and what was given",
          "[needs][needs-device]") {
  const KernelFile source(kAdd);
  std::vector<float> floats(4);
  std::vector<int> ints(4);
  const auto refusal = [&](auto&&... arguments) {
    return message_of<UsageError>(
        [&] { run_kernel(source.file, "vector_add", {.global_size = {4}}, arguments...); });
  };
  CHECK(refusal(floats, floats, floats) == "kernel 'vector_add' takes 4 arguments, 3 were given");
  CHECK(refusal(floats, floats, floats, 4.0f) ==
        "kernel 'vector_add': argument 3 'n' is 'int', but 'float' by value was given");
  CHECK(refusal(floats, floats, floats, cl_long{4}) ==
        "kernel 'vector_add': argument 3 'n' is 'int', but 'long' by value was given");
  CHECK(
      refusal(floats, ints, floats, 4) ==
      "kernel 'vector_add': argument 1 'b' is '__global float*', but a buffer of 'int' was given");
  CHECK(refusal(floats, local<float>(4), floats, 4) ==
        "kernel 'vector_add': argument 1 'b' is '__global float*', but gputest::local of 'float' "
        "was given");
  CHECK(contains(refusal(floats, 1.0f, floats, 4), "but 'float' by value was given"));
  CHECK(contains(refusal(floats, floats, floats, floats), "'n' is 'int', but a buffer of 'float'"));
  CHECK(
      contains(refusal(floats, std::vector<float>(), floats, 4), "argument 'b': has no elements"));
}

TEST_CASE("a struct by value is no number and no vector, an enum is an integer",
          "[needs][needs-device]") {
  const KernelFile source("struct View { float x, y; }; union Cell { int i; float f; };"
                          "enum Mode { COPY, ADD }; typedef float real;"
                          "kernel void k(struct View view, union Cell cell, enum Mode mode, real r,"
                          "              global float* out) {"
                          "  out[0] = view.x + view.y + cell.i + (mode == ADD ? r : 0.0f); }");
  struct View {
    float x, y;
  };
  union Cell {
    cl_int i;
    float f;
  };
  enum class Mode : cl_uint { Copy, Add };
  std::vector<float> out(1);
  const auto run = [&](auto view, auto cell, auto mode, auto r) {
    return message_of<UsageError>(
        [&] { run_kernel(source.file, "k", {.global_size = {1}}, view, cell, mode, r, out); });
  };
  const View view{1, 2};
  const Cell cell{.i = 4};
  CHECK(run(view, cell, Mode::Add, 8.0f) == "");
  CHECK(out[0] == 15);
  CHECK(run(view, cell, cl_int{1}, 8.0f) == "");
  CHECK(run(1.0f, cell, Mode::Add, 8.0f) ==
        "kernel 'k': argument 0 'view' is 'struct View', but 'float' by value was given");
  CHECK(run(cl_float2{}, cell, Mode::Add, 8.0f) ==
        "kernel 'k': argument 0 'view' is 'struct View', but 'float2' by value was given");
  CHECK(run(view, 4, Mode::Add, 8.0f) ==
        "kernel 'k': argument 1 'cell' is 'union Cell', but 'int' by value was given");
  CHECK(run(view, cell, 1.0f, 8.0f) ==
        "kernel 'k': argument 2 'mode' is 'enum Mode', but 'float' by value was given");
  CHECK(run(view, cell, cl_int2{}, 8.0f) ==
        "kernel 'k': argument 2 'mode' is 'enum Mode', but 'int2' by value was given");
}

TEST_CASE("a value has the size of the kernel's type for it", "[needs][needs-device]") {
  require_device();
  give_values<1, 3, 4, 7, 8, 12, 16, 20, 24, 28>({}, false);
}

TEST_CASE("arguments may be called like built-in functions", "[needs][needs-device]") {
  const KernelFile source("kernel void k(global float* distance, float length) {"
                          "  distance[0] = 2 * length; }");
  const Result result = run_kernel(source.file, "k", {.global_size = {1}}, out<float>(1), 4.0f);
  CHECK(result.output<float>("distance") == std::vector<float>{8});
  CHECK(message_of<UsageError>([&] {
          run_kernel(source.file, "k", {.global_size = {1}}, out<float>(1), 4);
        }) == "kernel 'k': argument 1 'length' is 'float', but 'int' by value was given");
}

TEST_CASE("everything else that can go wrong is an exception with its reason",
          "[needs][needs-device]") {
  const KernelFile source(kAdd);
  std::vector<float> v(4);
  const auto run = [&](const std::string& kernel, const RunOptions& options) {
    run_kernel(source.file, kernel, options, v, v, v, 4);
  };
  CHECK(contains(message_of<UsageError>([&] { run("add", {.global_size = {4}}); }),
                 "there are: vector_add"));
  CHECK(contains(message_of<UsageError>([&] { run("vector_add", {}); }), "0 dimensions"));
  CHECK(contains(
      message_of<UsageError>([&] { run("vector_add", {.global_size = {4}, .local_size = {3}}); }),
      "not a multiple"));
  CHECK(contains(message_of<UsageError>([&] { run("vector_add", {.global_size = {0}}); }),
                 "global size is 0"));
  CHECK(contains(
      message_of<UsageError>([&] { run("vector_add", {.global_size = {4}, .device = "abacus"}); }),
      "abacus"));
  CHECK(contains(
      message_of<UsageError>([&] { run_kernel("/no/such.cl", "k", {.global_size = {1}}); }),
      "/no/such.cl: error: cannot be read"));
  const KernelFile broken("kernel void k() { oops; }");
  CHECK(contains(
      message_of<BuildError>([&] { run_kernel(broken.file, "k", {.global_size = {1}}); }), "oops"));
}

TEST_CASE("a write past the end is an exception", "[needs][needs-device]") {
  const KernelFile source("kernel void k(global int* data) { data[4] = 1; }");
  std::vector<int> data(4);
  CHECK(message_of<KernelError>([&] {
          run_kernel(source.file, "k", {.global_size = {1}}, data);
        }) == "kernel 'k' wrote 4 bytes past the end of 'data' (4 elements), first at index 4");
}

TEST_CASE("the source may be a text", "[needs][needs-device]") {
  require_device();
  std::vector<float> c(2);
  const std::vector<float> a{1, 2};
  run_kernel(source_text(kAdd), "vector_add", {.global_size = {2}}, a, a, c, 2);
  CHECK(c == std::vector<float>{2, 4});
  CHECK(contains(message_of<BuildError>([&] {
                   run_kernel(source_text("kernel void k() { oops; }", "named.cl"), "k",
                              {.global_size = {1}});
                 }),
                 "named.cl"));
}

TEST_CASE("launches share what they are given", "[needs][needs-device]") {
  const KernelFile source("kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }"
                          "kernel void sum(global const int* v, global int* s) {"
                          "  s[0] = v[0] + v[1]; }");
  std::vector<int> values{1, 2};
  run_kernel(source.file, "twice", {.global_size = {2}}, values);
  const Result result = run_kernel(source.file, "sum", {.global_size = {1}}, values, out<int>(1));
  CHECK(result.output<int>("s") == std::vector<int>{6});
}

TEST_CASE("what a kernel writes is not taken as const", "[needs][needs-device]") {
  const KernelFile source("kernel void k(global int* read, global int* written) {"
                          "  written[0] = read[0]; }");
  const std::vector<int> read{5};
  std::vector<int> written{1};
  run_kernel(source.file, "k", {.global_size = {1}}, read, written);
  CHECK(written[0] == 5);
  CHECK(contains(message_of<UsageError>([&] {
                   run_kernel(source.file, "k", {.global_size = {1}}, std::vector<int>{7},
                              std::as_const(written));
                 }),
                 "kernel 'k' writes its argument 'written', which was given as const"));
  const KernelFile pixels("kernel void p(write_only image2d_t to) {"
                          "  write_imagef(to, (int2)(0, 0), (float4)(1)); }");
  const std::vector<float> kept(4);
  CHECK(contains(message_of<UsageError>([&] {
                   run_kernel(pixels.file, "p", {.global_size = {1}}, image2d(kept, 1, 1));
                 }),
                 "writes its argument 'to'"));
}
