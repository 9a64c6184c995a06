// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/extensions.h"
#include "tests/catch.h"

#include <string>
#include <vector>

namespace {

cl_icd_dispatch& made_up_implementation() {
  static cl_icd_dispatch dispatch{};
  return dispatch;
}

// Handles are only passed on.
template <typename Handle> Handle handle(std::uintptr_t number) {
  return reinterpret_cast<Handle>(number); // NOLINT(performance-no-int-to-ptr)
}

// An implementation that makes no program of an empty text.
template <std::uintptr_t number>
cl_program CL_API_CALL create(cl_context, const void*, std::size_t length, cl_int*) {
  return length == 0 ? nullptr : handle<cl_program>(number);
}

using Create = cl_program(CL_API_CALL*)(cl_context, const void*, std::size_t, cl_int*);

void* CL_API_CALL address_of(cl_platform_id platform, const char* name) {
  if (name != std::string("clCreateProgramWithILKHR"))
    return nullptr;
  return reinterpret_cast<void*>(platform == handle<cl_platform_id>(1) ? create<1> : create<2>);
}

} // namespace

const cl_icd_dispatch& gputest::layer::implementation() {
  return made_up_implementation();
}

TEST_CASE("A program that is made by clCreateProgramWithILKHR is noticed, of each platform") {
  made_up_implementation().clGetExtensionFunctionAddressForPlatform = address_of;
  std::vector<std::string> texts;
  cl_icd_dispatch dispatch{};
  gputest::layer::install_extensions(
      dispatch, {.recorded = [](cl_kernel) {},
                 .created = [&](cl_program, std::string_view text) { texts.emplace_back(text); }});
  const auto create_of = [&](std::uintptr_t platform) {
    return reinterpret_cast<Create>(dispatch.clGetExtensionFunctionAddressForPlatform(
        handle<cl_platform_id>(platform), "clCreateProgramWithILKHR"));
  };
  CHECK(create_of(1)(nullptr, "one", 3, nullptr) == handle<cl_program>(1));
  CHECK(create_of(2)(nullptr, "two", 3, nullptr) == handle<cl_program>(2));
  CHECK(create_of(1)(nullptr, "", 0, nullptr) == nullptr);
  CHECK(texts == std::vector<std::string>{"one", "two"});
  CHECK(dispatch.clGetExtensionFunctionAddressForPlatform(handle<cl_platform_id>(1), "clOther") ==
        nullptr);
}

TEST_CASE("clCreateProgramWithILKHR has a stand-in where the platform has none") {
  made_up_implementation().clGetExtensionFunctionAddress = [](const char*) -> void* {
    return nullptr;
  };
  cl_icd_dispatch dispatch{};
  for (void* const own : {static_cast<void*>(nullptr), reinterpret_cast<void*>(create<3>)}) {
    gputest::layer::install_extensions(dispatch, {.recorded = [](cl_kernel) {},
                                                  .created = [](cl_program, std::string_view) {},
                                                  .stand_in = [own] { return own; }});
    CHECK(dispatch.clGetExtensionFunctionAddress("clCreateProgramWithILKHR") == own);
    CHECK(dispatch.clGetExtensionFunctionAddress("clOther") == nullptr);
  }
}
