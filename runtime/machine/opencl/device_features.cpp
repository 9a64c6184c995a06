// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/device_features.h"

#include "model/text/comments.h"
#include "model/text/words.h"

#include <cctype>
#include <cstddef>

namespace gputest::runtime {
namespace {

// Questions that headers before OpenCL 3.0 do not know.
enum : cl_device_info {
  kGlobalVariables = 0x104D, // CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE
  kSubGroups = 0x105C,       // CL_DEVICE_MAX_NUM_SUB_GROUPS
  kCollectives = 0x1068,     // CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
  kGenericAddresses = 0x1069,
  kEnqueue = 0x1070, // CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
  kPipes = 0x1071    // CL_DEVICE_PIPE_SUPPORT
};

// A feature, and the question to a device whose answer is 0 if the device lacks it. Without one,
// the device lists an extension of this name.
struct Feature {
  std::string_view name;
  cl_device_info question = 0;
  std::size_t size = 0; // of the answer, in bytes
  bool is_in_opencl_2 = false;
};
constexpr Feature kEnqueueFeature{"__opencl_c_device_enqueue", kEnqueue, sizeof(cl_bitfield), true};
constexpr Feature kCollectivesFeature{"__opencl_c_work_group_collective_functions", kCollectives,
                                      sizeof(cl_bool), true};
constexpr Feature kSubGroupsFeature{"cl_khr_subgroups", kSubGroups, sizeof(cl_uint)};
constexpr Feature kPipesFeature{"__opencl_c_pipes", kPipes, sizeof(cl_bool), true};

struct Use {
  std::string_view text; // how a name begins; what a compiler says
  Feature feature;
};
constexpr Use kUses[] = {{"enqueue_kernel", kEnqueueFeature}, {"queue_t", kEnqueueFeature}};
// Functions whose names a compiler tells if it does not know them. Variables may be called so, too.
constexpr Use kFunctions[] = {
    {"work_group_all", kCollectivesFeature},
    {"work_group_any", kCollectivesFeature},
    {"work_group_broadcast", kCollectivesFeature},
    {"work_group_reduce_", kCollectivesFeature},
    {"work_group_scan_", kCollectivesFeature},
    {"intel_sub_group_", {"cl_intel_subgroups"}},
    {"sub_group_shuffle_up", {"cl_khr_subgroup_shuffle_relative"}},
    {"sub_group_shuffle_down", {"cl_khr_subgroup_shuffle_relative"}},
    {"sub_group_shuffle", {"cl_khr_subgroup_shuffle"}},
    {"sub_group_rotate", {"cl_khr_subgroup_rotate"}},
    {"sub_group_clustered_rotate", {"cl_khr_subgroup_rotate"}},
    {"sub_group_clustered_", {"cl_khr_subgroup_clustered_reduce"}},
    {"sub_group_elect", {"cl_khr_subgroup_non_uniform_vote"}},
    {"sub_group_non_uniform_a", {"cl_khr_subgroup_non_uniform_vote"}},
    {"sub_group_non_uniform_broadcast", {"cl_khr_subgroup_ballot"}},
    {"sub_group_non_uniform_", {"cl_khr_subgroup_non_uniform_arithmetic"}},
    {"sub_group_broadcast_first", {"cl_khr_subgroup_ballot"}},
    {"sub_group_ballot", {"cl_khr_subgroup_ballot"}},
    {"sub_group_inverse_ballot", {"cl_khr_subgroup_ballot"}},
    {"sub_group_", kSubGroupsFeature},
    {"get_sub_group_", kSubGroupsFeature},
    {"get_num_sub_groups", kSubGroupsFeature},
    {"get_max_sub_group_size", kSubGroupsFeature}};
// What compilers say of types and variables that a device lacks.
constexpr Use kComplaints[] = {
    {"half", {"cl_khr_fp16"}},
    {"double", {"cl_khr_fp64"}},
    {"program scope variable",
     {"__opencl_c_program_scope_global_variables", kGlobalVariables, sizeof(std::size_t), true}}};
// Pointers without an address space need it: they are generic from OpenCL C 2.0 on.
constexpr Feature kGenericFeature{"__opencl_c_generic_address_space", kGenericAddresses,
                                  sizeof(cl_bool), true};

bool is_part_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// Whether a name in the code begins so, and `fits` what follows that.
template <typename Fits>
bool has_name(std::string_view code, std::string_view beginning, const Fits& fits) {
  for (std::size_t at = 0; (at = code.find(beginning, at)) != code.npos;) {
    const bool begins = at == 0 || !is_part_of_name(code[at - 1]);
    at += beginning.size();
    if (begins && fits(code.substr(at)))
      return true;
  }
  return false;
}

// A name follows the word of a type, as in `pipe int out`, and not that of a variable.
bool has_pipe(std::string_view code) {
  return has_name(code, "pipe", [](std::string_view rest) {
    const std::size_t next = rest.find_first_not_of(" \t\r\n\\");
    return next != rest.npos && next > 0 && is_part_of_name(rest[next]);
  });
}

std::string text_of(cl_device_id device, cl_device_info name) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, name, 0, nullptr, &size) != CL_SUCCESS)
    return "";
  std::string text(size, '\0');
  clGetDeviceInfo(device, name, size, text.data(), nullptr);
  return text;
}

bool has(cl_device_id device, const Feature& feature) {
  if (feature.is_in_opencl_2 && text_of(device, CL_DEVICE_VERSION).starts_with("OpenCL 2"))
    return true;
  cl_bitfield there = 0; // devices of OpenCL 1.2 and before do not know the questions
  if (feature.question != 0 &&
      clGetDeviceInfo(device, feature.question, feature.size, &there, nullptr) == CL_SUCCESS &&
      there != 0)
    return true;
  return model::has_word(text_of(device, CL_DEVICE_EXTENSIONS), std::string(feature.name));
}

} // namespace

bool has_feature(cl_device_id device, DeviceFeature feature) {
  return has(device, feature == DeviceFeature::Pipes ? kPipesFeature : kEnqueueFeature);
}

std::optional<std::string_view> missing_feature(cl_device_id device, const std::string& source,
                                                const FailedBuild& failed) {
  const std::string code = model::code_of(source);
  const auto is_in_code = [&](const Use& use) {
    return has_name(code, use.text, [](std::string_view) { return true; });
  };
  const auto is_in_log = [&](std::string_view text) {
    return failed.log.find(text) != failed.log.npos;
  };
  for (const Use& use : kUses)
    if (is_in_code(use) && !has(device, use.feature))
      return use.feature.name;
  if (has_pipe(code) && !has(device, kPipesFeature))
    return kPipesFeature.name;
  for (const Use& use : kFunctions)
    if (is_in_log(use.text) && is_in_code(use) && !has(device, use.feature))
      return use.feature.name;
  for (const Use& use : kComplaints)
    if (is_in_log(use.text) && !has(device, use.feature))
      return use.feature.name;
  if (!failed.cl_std.empty() && !failed.cl_std.starts_with("CL1") && is_in_log("__private") &&
      is_in_log("address space") && !has(device, kGenericFeature))
    return kGenericFeature.name;
  return std::nullopt;
}

} // namespace gputest::runtime
