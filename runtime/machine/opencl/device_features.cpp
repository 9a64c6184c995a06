// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/device_features.h"

#include "model/text/comments.h"
#include "model/text/words.h"

#include <cstddef>

namespace gputest::runtime {
namespace {

struct FeatureQuestion { // to a device of OpenCL 3.0
  cl_device_info name;
  std::size_t size; // of the answer, which is not 0 if the feature is there
};

FeatureQuestion question_of(DeviceFeature feature) {
  // CL_DEVICE_PIPE_SUPPORT and CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
  return feature == DeviceFeature::Pipes ? FeatureQuestion{0x1071, sizeof(cl_bool)}
                                         : FeatureQuestion{0x1070, sizeof(cl_bitfield)};
}

struct FeatureWord { // in sources that use the feature
  std::string_view word;
  DeviceFeature feature;
  std::string_view macro;
};
constexpr FeatureWord kFeatureWords[] = {
    {"enqueue_kernel", DeviceFeature::Enqueue, "__opencl_c_device_enqueue"},
    {"queue_t", DeviceFeature::Enqueue, "__opencl_c_device_enqueue"},
    {"pipe", DeviceFeature::Pipes, "__opencl_c_pipes"}};

std::string version_of(cl_device_id device) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_VERSION, 0, nullptr, &size) != CL_SUCCESS)
    return "";
  std::string version(size, '\0');
  clGetDeviceInfo(device, CL_DEVICE_VERSION, size, version.data(), nullptr);
  return version;
}

} // namespace

bool has_feature(cl_device_id device, DeviceFeature feature) {
  if (version_of(device).starts_with("OpenCL 2"))
    return true;
  const FeatureQuestion question = question_of(feature);
  cl_bitfield there = 0; // devices of OpenCL 1.2 and before do not know the question
  return clGetDeviceInfo(device, question.name, question.size, &there, nullptr) == CL_SUCCESS &&
         there != 0;
}

std::optional<std::string_view> missing_feature(cl_device_id device, const std::string& source) {
  const std::string code = model::code_of(source);
  for (const FeatureWord& one : kFeatureWords)
    if (model::has_word(code, one.word) && !has_feature(device, one.feature))
      return one.macro;
  return std::nullopt;
}

} // namespace gputest::runtime
