#include "gputest/reference.h"

#include "tests/catch.h"

#include <array>
#include <numeric>
#include <stdexcept>

using namespace gputest;

namespace {

struct Body {
  float mass;
  int id;
};

template <class Function, class... Arguments>
bool takes_launch(Function function, const Arguments&... arguments) {
  return requires { function(arguments..., Launch{}); };
}

struct Fixture {
  std::array<float, 8> floats{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<Body, 2> bodies{{{1.5f, 7}, {2.5f, 8}}};
  int n = 42;
  Launch launch;

  template <class T> static std::span<std::byte> bytes(T& value) {
    return std::as_writable_bytes(std::span(&value, 1));
  }
  std::array<ReferenceCall::Argument, 3> arguments{{{"floats", bytes(floats), {}, {}},
                                                    {"bodies", bytes(bodies), {}, {}},
                                                    {"n", bytes(n), {}, {}}}};
  ReferenceCall call() { return ReferenceCall(launch, arguments); }
};

} // namespace

TEST_CASE("a pointer becomes what the function wants") {
  Fixture fixture;
  const ReferenceCall call = fixture.call();
  const auto pointer = call.pointer<cl_float>("floats");
  float* plain = pointer;
  const float* constant = pointer;
  cl_float4* vectors = pointer;
  std::span<const float> span = pointer;
  CHECK(plain == fixture.floats.data());
  CHECK(constant[7] == 8.0f);
  CHECK(vectors[1].s[0] == 5.0f);
  CHECK(std::accumulate(span.begin(), span.end(), 0.0f) == 36.0f);
  const Body* bodies = call.struct_pointer<sizeof(Body)>("bodies");
  CHECK(bodies[1].id == 8);
}

TEST_CASE("values keep their bits, and convert only to their own size") {
  Fixture fixture;
  const ReferenceCall call = fixture.call();
  CHECK(call.scalar<cl_int>("n") == 42);
  const auto value = call.value<sizeof(Body) * 2>("bodies");
  const std::array<Body, 2> copy = value;
  CHECK(copy[0].mass == 1.5f);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ValueArgument<16>, Body>);
  STATIC_REQUIRE(std::is_convertible_v<ValueArgument<8>, Body>);
}

TEST_CASE("the launch is passed to functions that ask for it") {
  Fixture fixture;
  const auto pointer = fixture.call().pointer<cl_float>("floats");
  CHECK(takes_launch([](float*, const Launch&) {}, pointer));
  CHECK_FALSE(takes_launch([](float*) {}, pointer));
}

TEST_CASE("names that are not there are refused") {
  Fixture fixture;
  CHECK_THROWS_AS(fixture.call().pointer<cl_float>("nothing"), std::invalid_argument);
  CHECK_THROWS_AS(fixture.call().scalar<cl_long>("n"), std::invalid_argument);
}

TEST_CASE("the host's version gets each buffer, and says which one is too small") {
  Fixture fixture;
  fixture.launch.global_size[0] = 5;
  HostVersion& version =
      *[](std::size_t count, void* const* buffers, const std::size_t* bytes) -> const char* {
    if (bytes[0] < count * sizeof(float))
      return "floats";
    static_cast<Body*>(buffers[1])[1].id = static_cast<int>(count);
    return bytes[2] == sizeof(int) ? nullptr : "n";
  };
  fixture.call().run_on_host(version);
  CHECK(fixture.bodies[1].id == 5);
  fixture.launch.global_size[0] = 9;
  CHECK_THROWS_WITH(fixture.call().run_on_host(version),
                    "'floats' has fewer elements than the launch has threads, 9");
}
