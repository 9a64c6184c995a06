// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the OpenCL implementation about a program's images and samplers, and answers in the terms of
// test cases and of the runtime's own launches.
#pragma once

#include "layer/opencl/implementation.h"
#include "runtime/cases/image_layout.h"

#include <string>
#include <string_view>

namespace gputest::layer {

// Returns size and format of `image`, the value of an argument of OpenCL C type `type_name`
// ("image2d_array_t"). Throws gputest::UsageError, with a message that begins with `what`, for
// images that test cases do not know: other formats, images of another kind than the argument's,
// mip maps, several samples per pixel.
runtime::ImageLayout layout_of(cl_mem image, std::string_view type_name, const std::string& what);

// Returns the buffer that holds the pixels of an image of kind image1d_buffer_t, from its beginning
// on. Throws gputest::UsageError, with a message that begins with `what`.
cl_mem buffer_of(cl_mem image, const std::string& what);

// Returns the sampler's modes. Throws gputest::UsageError, with a message that begins with `what`,
// for modes that test cases do not know.
SamplerView settings_of(cl_sampler sampler, const std::string& what);

} // namespace gputest::layer
