// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of copies and of advice about managed memory. Their operations run one after the other.
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/call.h"

#include <algorithm>

using namespace gputest::cuda;

namespace {

// CUDA refuses batches in the default stream and in captures.
bool takes_batches(cudaStream_t stream) {
  return stream && stream != cudaStreamLegacy && !capture_of(stream);
}

// `starts` has the first operation of each part.
bool are_parts(const std::size_t* starts, std::size_t parts, std::size_t count) {
  if (!starts || parts == 0 || parts > count || starts[0] != 0)
    return false;
  for (std::size_t i = 1; i < parts; ++i)
    if (starts[i] <= starts[i - 1] || starts[i] >= count)
      return false;
  return true;
}

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

bool is_managed(const State& state, const void* pointer, std::size_t size) {
  const Allocation* const allocation = state.heap.find(pointer);
  return allocation && allocation->kind == MemoryKind::Managed &&
         state.heap.is_inside(pointer, size);
}

// One side of a copy of a box. Lengths count elements of an array that takes part, or else bytes.
cudaError_t side_of(const cudaMemcpy3DOperand& operand, const cudaExtent& extent,
                    std::size_t element, cudaArray_t& array, cudaPos& pos,
                    cudaPitchedPtr& pointer) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    array = operand.op.array.array;
    const cudaOffset3D& at = operand.op.array.offset;
    pos = {at.x, at.y, at.z};
    return array ? cudaSuccess : cudaErrorInvalidValue;
  }
  const auto& of = operand.op.ptr;
  const std::size_t row = of.rowLength ? of.rowLength : extent.width;
  const std::size_t rows = of.layerHeight ? of.layerHeight : extent.height;
  if (operand.type != cudaMemcpyOperandTypePointer || !of.ptr || row < extent.width ||
      rows < extent.height)
    return cudaErrorInvalidValue;
  pointer = {of.ptr, row * element, row * element, rows};
  return cudaSuccess;
}

cudaError_t copy_of(const cudaMemcpy3DBatchOp& operation, cudaMemcpy3DParms& copy) {
  const cudaExtent& extent = operation.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0 ||
      !is_order(operation.srcAccessOrder))
    return cudaErrorInvalidValue;
  std::size_t element = 0;
  for (const cudaMemcpy3DOperand* operand : {&operation.src, &operation.dst})
    if (operand->type == cudaMemcpyOperandTypeArray && operand->op.array.array) {
      const std::size_t size = texel_size(operand->op.array.array->desc);
      if (element != 0 && size != element)
        return cudaErrorInvalidValue;
      element = size;
    }
  element = std::max<std::size_t>(element, 1);
  copy.extent = extent;
  copy.kind = cudaMemcpyDefault;
  if (const cudaError_t error =
          side_of(operation.src, extent, element, copy.srcArray, copy.srcPos, copy.srcPtr))
    return error;
  return side_of(operation.dst, extent, element, copy.dstArray, copy.dstPos, copy.dstPtr);
}

} // namespace

extern "C" {
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* starts,
                                 size_t attributeCount, cudaStream_t stream) {
  if (!to || !from || !sizes || !attributes || !are_parts(starts, attributeCount, count) ||
      !takes_batches(stream) ||
      !std::all_of(attributes, attributes + attributeCount,
                   [](const cudaMemcpyAttributes& one) { return is_order(one.srcAccessOrder); }))
    return State::get().report(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (const cudaError_t error =
            cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream))
      return error;
  return cudaSuccess;
}
cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations,
                                   unsigned long long flags, cudaStream_t stream) {
  if (count == 0 || !operations || flags != 0 || !takes_batches(stream))
    return State::get().report(cudaErrorInvalidValue);
  std::vector<cudaMemcpy3DParms> copies(count);
  for (size_t i = 0; i < count; ++i)
    if (const cudaError_t error = copy_of(operations[i], copies[i]))
      return State::get().report(error);
  for (const cudaMemcpy3DParms& copy : copies)
    if (const cudaError_t error = cudaMemcpy3DAsync(&copy, stream))
      return error;
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                      cudaMemLocation* places, size_t* starts, size_t placeCount,
                                      unsigned long long flags, cudaStream_t stream) {
  if (!pointers || !sizes || !places || !are_parts(starts, placeCount, count) || flags != 0 ||
      !takes_batches(stream))
    return State::get().report(cudaErrorInvalidValue);
  for (size_t i = 0, place = 0; i < count; ++i) {
    if (place + 1 < placeCount && starts[place + 1] == i)
      ++place;
    const cudaMemLocation& to = places[place];
    if (const cudaError_t error = cudaMemPrefetchAsync(
            pointers[i], sizes[i], to.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : to.id,
            stream))
      return error;
  }
  return cudaSuccess;
}
// Discarded memory may keep its content, as on a GPU.
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream) {
  return call([&](State& state) {
    if (!pointers || !sizes || count == 0 || flags != 0 || !takes_batches(stream))
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (!is_managed(state, pointers[i], sizes[i]))
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                cudaMemLocation* places, size_t* starts,
                                                size_t placeCount, unsigned long long flags,
                                                cudaStream_t stream) {
  if (const cudaError_t error = cudaMemDiscardBatchAsync(pointers, sizes, count, flags, stream))
    return error;
  return cudaMemPrefetchBatchAsync(pointers, sizes, count, places, starts, placeCount, flags,
                                   stream);
}
}
