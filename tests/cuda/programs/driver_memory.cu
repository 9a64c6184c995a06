// Link: -lcuda
// CHECK-DAG: a stream waits for a value in memory that nobody writes
// Memory by the driver API: what is known of pointers, arrays and mipmaps, what textures are made of, words that streams
// write and wait for, batches, pools, what is said of managed memory.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <cudaTypedefs.h>

static void pointers() {
  CUdeviceptr device = 0, pooled = 0;
  int *managed = nullptr, *host = nullptr, plain = 0;
  EXPECT(cuMemAlloc(&device, 1000) == CUDA_SUCCESS && cudaMallocManaged(&managed, 64) == cudaSuccess);
  EXPECT(cudaMallocHost(&host, 64) == cudaSuccess && cuMemAllocAsync(&pooled, 64, nullptr) == CUDA_SUCCESS);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                      CU_POINTER_ATTRIBUTE_HOST_POINTER, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 9, is_managed = 9;
  std::size_t size = 9;
  void* at_host = nullptr;
  int ordinal = 9;
  void* values[] = {&type, &is_managed, &size, &at_host, &ordinal};
  EXPECT(cuPointerGetAttributes(5, attributes, values, device + 8) == CUDA_SUCCESS);
  EXPECT(type == CU_MEMORYTYPE_DEVICE && !is_managed && size == 1000 && !at_host && ordinal == 0);
  EXPECT(cuPointerGetAttributes(5, attributes, values, (CUdeviceptr)managed) == CUDA_SUCCESS && is_managed && at_host == managed);
  EXPECT(cuPointerGetAttributes(5, attributes, values, (CUdeviceptr)&plain) == CUDA_SUCCESS); // says so, and is no error
  EXPECT(type == 0 && !is_managed && size == 0 && !at_host && ordinal == -2);
  EXPECT(cuPointerGetAttributes(0, attributes, values, device) == CUDA_ERROR_INVALID_VALUE);
  unsigned long long id = 0, other = 0;
  EXPECT(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, device + 1) == CUDA_SUCCESS);
  EXPECT(cuPointerGetAttribute(&other, CU_POINTER_ATTRIBUTE_BUFFER_ID, pooled) == CUDA_SUCCESS && id != other);
  CUmemoryPool pool = nullptr, standard = nullptr;
  CUmemLocation place{CU_MEM_LOCATION_TYPE_DEVICE, 0}, numa{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
  EXPECT(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pooled) == CUDA_SUCCESS);
  EXPECT(cuMemGetDefaultMemPool(&standard, &place, CU_MEM_ALLOCATION_TYPE_PINNED) == CUDA_SUCCESS && pool == standard);
  EXPECT(cuMemGetMemPool(&pool, &place, CU_MEM_ALLOCATION_TYPE_PINNED) == CUDA_SUCCESS && pool == standard);
  EXPECT(cuMemSetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED, standard) == CUDA_SUCCESS);
  EXPECT(cuMemGetMemPool(&pool, &numa, CU_MEM_ALLOCATION_TYPE_PINNED) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuMemGetDefaultMemPool(&pool, &place, CU_MEM_ALLOCATION_TYPE_INVALID) == CUDA_ERROR_INVALID_VALUE);
  CUmemAccess_flags access{};
  EXPECT(cuMemPoolGetAccess(&access, standard, &place) == CUDA_SUCCESS && access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  place.id = 7;
  EXPECT(cuMemPoolGetAccess(&access, standard, &place) == CUDA_ERROR_INVALID_DEVICE);
  unsigned sync = 1;
  EXPECT(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device) == CUDA_SUCCESS);
  EXPECT(cuPointerGetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device) == CUDA_SUCCESS && sync == 1);
  EXPECT(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_BUFFER_ID, device) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemFree(device) == CUDA_SUCCESS && cuMemFreeAsync(pooled, nullptr) == CUDA_SUCCESS && cudaFree(managed) == cudaSuccess && cudaFreeHost(host) == cudaSuccess);
}

static void arrays() {
  CUDA_ARRAY3D_DESCRIPTOR row = {};
  row.Width = 16, row.Format = CU_AD_FORMAT_UNSIGNED_INT32, row.NumChannels = 1;
  CUarray array, other, level;
  CUmipmappedArray mipmap;
  EXPECT(cuArray3DCreate(&array, &row) == CUDA_SUCCESS && cuArray3DCreate(&other, &row) == CUDA_SUCCESS);
  unsigned host[16], back[16] = {};
  for (unsigned i = 0; i < 16; ++i)
    host[i] = 100 + i;
  CUdeviceptr device;
  EXPECT(cuMemAlloc(&device, sizeof host) == CUDA_SUCCESS);
  EXPECT(cuMemcpyHtoA(array, 0, host, sizeof host) == CUDA_SUCCESS);
  EXPECT(cuMemcpyAtoA(other, 32, array, 0, 32) == CUDA_SUCCESS);
  EXPECT(cuMemcpyHtoAAsync(other, 0, host + 8, 32, nullptr) == CUDA_SUCCESS);
  EXPECT(cuMemcpyAtoD(device, other, 16, 48) == CUDA_SUCCESS && cuMemcpyDtoA(array, 0, device, 48) == CUDA_SUCCESS);
  EXPECT(cuMemcpyAtoH(back, array, 0, sizeof back) == CUDA_SUCCESS);
  EXPECT(back[0] == 112 && back[3] == 115 && back[4] == 100 && back[11] == 107 && back[12] == 112);
  EXPECT(cuMemcpyAtoHAsync(back, array, 4, 8, nullptr) == CUDA_SUCCESS && back[0] == 113);
  EXPECT(cuMemcpyHtoA(array, 60, host, 8) == CUDA_ERROR_INVALID_VALUE); // beyond the end
  EXPECT(cuMemsetD2D32Async(device, 32, 5, 2, 2, nullptr) == CUDA_SUCCESS && cuMemsetD2D8Async(device + 4, 32, 1, 1, 1, nullptr) == CUDA_SUCCESS &&
         cuMemsetD2D16Async(device + 40, 32, 2, 1, 1, nullptr) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(back, device, 64) == CUDA_SUCCESS && back[0] == 5 && back[1] == 1 && back[8] == 5);
  EXPECT(cuMemsetD2D16Async(device + 1, 32, 2, 1, 1, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CUDA_ARRAY_MEMORY_REQUIREMENTS requirements;
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  EXPECT(cuArrayGetMemoryRequirements(&requirements, array, 0) == CUDA_ERROR_INVALID_VALUE); // has its memory already
  EXPECT(cuArrayGetSparseProperties(&sparse, array) == CUDA_ERROR_INVALID_VALUE && cuArrayGetPlane(&level, array, 0) == CUDA_ERROR_INVALID_VALUE);
  row.Flags = CUDA_ARRAY3D_SPARSE;
  EXPECT(cuArray3DCreate(&level, &row) == CUDA_ERROR_NOT_SUPPORTED);
  row.Flags = 0, row.Height = 8;
  EXPECT(cuMipmappedArrayCreate(&mipmap, &row, 3) == CUDA_SUCCESS && cuMipmappedArrayGetLevel(&level, mipmap, 2) == CUDA_SUCCESS);
  CUDA_ARRAY3D_DESCRIPTOR small;
  EXPECT(cuArray3DGetDescriptor(&small, level) == CUDA_SUCCESS && small.Width == 4 && small.Height == 2);
  EXPECT(cuMipmappedArrayGetLevel(&level, mipmap, 3) == CUDA_ERROR_INVALID_VALUE && cuMipmappedArrayCreate(&mipmap, &row, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMipmappedArrayGetMemoryRequirements(&requirements, mipmap, 0) == CUDA_ERROR_INVALID_VALUE &&
         cuMipmappedArrayGetSparseProperties(&sparse, mipmap) == CUDA_ERROR_INVALID_VALUE);

  CUDA_RESOURCE_DESC resource = {}, got;
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = device, resource.res.linear.format = CU_AD_FORMAT_SIGNED_INT16, resource.res.linear.numChannels = 2;
  resource.res.linear.sizeInBytes = 64;
  CUDA_TEXTURE_DESC how = {}, got_how;
  how.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP, how.flags = CU_TRSF_READ_AS_INTEGER, how.maxMipmapLevelClamp = 2;
  CUtexObject texture;
  CUsurfObject surface;
  EXPECT(cuTexObjectCreate(&texture, &resource, &how, nullptr) == CUDA_SUCCESS && cuTexObjectGetResourceDesc(&got, texture) == CUDA_SUCCESS);
  EXPECT(got.resType == CU_RESOURCE_TYPE_LINEAR && got.res.linear.devPtr == device && got.res.linear.format == CU_AD_FORMAT_SIGNED_INT16 &&
         got.res.linear.numChannels == 2 && got.res.linear.sizeInBytes == 64);
  EXPECT(cuTexObjectGetTextureDesc(&got_how, texture) == CUDA_SUCCESS && got_how.flags == CU_TRSF_READ_AS_INTEGER &&
         got_how.addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP && got_how.maxMipmapLevelClamp == 2);
  CUDA_RESOURCE_VIEW_DESC view;
  EXPECT(cuTexObjectGetResourceViewDesc(&view, texture) == CUDA_SUCCESS && view.format == CU_RES_VIEW_FORMAT_NONE);
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  EXPECT(cuSurfObjectCreate(&surface, &resource) == CUDA_SUCCESS && cuSurfObjectGetResourceDesc(&got, surface) == CUDA_SUCCESS && got.res.array.hArray == array);
  EXPECT(cuSurfObjectDestroy(surface) == CUDA_SUCCESS && cuSurfObjectGetResourceDesc(&got, surface) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuTexObjectDestroy(texture) == CUDA_SUCCESS && cuTexObjectGetTextureDesc(&got_how, texture) == CUDA_ERROR_INVALID_VALUE);
  std::size_t width = 0;
  EXPECT(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0) == CUDA_SUCCESS && width > 0);
  EXPECT(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 3, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuArrayDestroy(array) == CUDA_SUCCESS && cuArrayDestroy(other) == CUDA_SUCCESS && cuMipmappedArrayDestroy(mipmap) == CUDA_SUCCESS && cuMemFree(device) == CUDA_SUCCESS);
}

__global__ void set_word(volatile unsigned* word, unsigned value) {
  *word = value;
}

// Streams wait for the host, for kernels and for each other.
static void waiting_streams() {
  CUstream stream, other;
  unsigned* word;
  CUdeviceptr address, copied;
  EXPECT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS && cuStreamCreate(&other, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  EXPECT(cuMemHostAlloc(reinterpret_cast<void**>(&word), 64, 0) == CUDA_SUCCESS && cuMemHostGetDevicePointer(&address, word, 0) == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&copied, 16) == CUDA_SUCCESS);
  EXPECT(cuStreamWaitValue32(stream, address, 8, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoDAsync(copied, address + 4, 4, stream) == CUDA_SUCCESS);
  EXPECT(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY && cuStreamQuery(other) == CUDA_SUCCESS);
  word[1] = 5;
  *static_cast<volatile unsigned*>(word) = 8;
  unsigned value = 0;
  EXPECT(cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&value, copied, 4) == CUDA_SUCCESS && value == 5);
  // A batch: one stream waits for a kernel, and lets the next go on.
  CUstreamBatchMemOpParams operations[2] = {};
  operations[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32, operations[0].waitValue.address = address, operations[0].waitValue.value = 20;
  operations[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64, operations[1].writeValue.address = address + 8, operations[1].writeValue.value64 = 1ULL << 40;
  EXPECT(cuStreamWaitValue64(other, address + 8, 1ULL << 40, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  EXPECT(cuStreamBatchMemOp(stream, 2, operations, 0) == CUDA_SUCCESS && cuStreamQuery(other) == CUDA_ERROR_NOT_READY);
  cudaStream_t third;
  EXPECT(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking) == cudaSuccess);
  set_word<<<1, 1, 0, third>>>(reinterpret_cast<unsigned*>(address), 20);
  EXPECT(cuStreamSynchronize(other) == CUDA_SUCCESS && cuStreamQuery(stream) == CUDA_SUCCESS);
  // As a node of a graph.
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node;
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = {nullptr, 2, operations, 0}, one = {nullptr, 1, operations + 1, 0}, got = {};
  CUgraphNodeParams any = {CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
  any.memOp = {nullptr, 1, operations + 1, 0};
  CUgraphNodeType type;
  EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS && cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params) == CUDA_SUCCESS);
  EXPECT(cuGraphBatchMemOpNodeGetParams(node, &got) == CUDA_SUCCESS && got.count == 2 && got.paramArray[1].writeValue.value64 == 1ULL << 40);
  EXPECT(cuGraphNodeGetType(node, &type) == CUDA_SUCCESS && type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  params.flags = 1;
  EXPECT(cuGraphBatchMemOpNodeSetParams(node, &params) == CUDA_ERROR_INVALID_VALUE);
  params.flags = 0, operations[0].waitValue.value = 30;
  EXPECT(cuGraphBatchMemOpNodeSetParams(node, &params) == CUDA_SUCCESS);
  EXPECT(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS && cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
  EXPECT(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY && cuStreamWriteValue32(other, address, 30, 0) == CUDA_SUCCESS && cuStreamSynchronize(stream) == CUDA_SUCCESS);
  EXPECT(cuGraphExecBatchMemOpNodeSetParams(exec, node, &one) == CUDA_SUCCESS && cuStreamWriteValue32(stream, address, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuGraphLaunch(exec, stream) == CUDA_SUCCESS && cuStreamQuery(stream) == CUDA_SUCCESS);
  EXPECT(cuGraphAddNode(&node, graph, nullptr, 0, &any) == CUDA_SUCCESS && cuGraphNodeSetParams(node, &any) == CUDA_SUCCESS);
  // Registered memory is the host's, and a kernel takes the host's pointer.
  static unsigned registered[4];
  EXPECT(cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped) == cudaSuccess);
  EXPECT(cuMemHostGetDevicePointer(&address, registered, 0) == CUDA_SUCCESS && cuStreamWaitValue32(stream, address, 4, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  EXPECT(cuStreamWriteValue32(stream, address + 4, 6, 0) == CUDA_SUCCESS && cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  set_word<<<1, 1, 0, third>>>(registered, 4);
  EXPECT(cuStreamSynchronize(stream) == CUDA_SUCCESS && registered[0] == 4 && registered[1] == 6);
  EXPECT(cuMemsetD32(address, 9, 2) == CUDA_SUCCESS && registered[1] == 9 && cudaHostUnregister(registered) == cudaSuccess);
}

static void words() {
  CUdeviceptr word;
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  unsigned long long value = 0;
  EXPECT(cuMemAlloc(&word, 16) == CUDA_SUCCESS && cuMemsetD32(word, 0, 4) == CUDA_SUCCESS && cuStreamCreate(&stream, 0) == CUDA_SUCCESS);
  EXPECT(cuStreamWriteValue32(stream, word, 7, CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS);
  EXPECT(cuStreamWaitValue32(stream, word, 7, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS && cuStreamWaitValue32(stream, word, 5, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  EXPECT(cuStreamWaitValue32(stream, word, 0xfffffffe, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS); // it goes round
  EXPECT(cuStreamWaitValue32(stream, word, 2, CU_STREAM_WAIT_VALUE_AND) == CUDA_SUCCESS && cuStreamWaitValue32(stream, word, 8, CU_STREAM_WAIT_VALUE_NOR) == CUDA_SUCCESS);
  EXPECT(cuStreamWriteValue64(stream, word + 8, 1ULL << 40, 0) == CUDA_SUCCESS && cuStreamWaitValue64(stream, word + 8, 1ULL << 40, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  EXPECT(cuStreamWriteValue64(stream, word + 4, 1, 0) == CUDA_ERROR_INVALID_VALUE && cuStreamWaitValue32(stream, 64, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuStreamWaitValue32(stream, word, 7, CU_STREAM_WAIT_VALUE_FLUSH) == CUDA_ERROR_NOT_SUPPORTED);
  CUstreamBatchMemOpParams operations[3] = {};
  operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32, operations[0].writeValue.address = word, operations[0].writeValue.value = 50;
  operations[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
  operations[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32, operations[2].waitValue.address = word, operations[2].waitValue.value = 50;
  EXPECT(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  EXPECT(cuStreamBatchMemOp(stream, 3, operations, 0) == CUDA_SUCCESS && cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(&value, word, 4) == CUDA_SUCCESS && value == 7);
  EXPECT(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS && cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(&value, word, 4) == CUDA_SUCCESS && value == 50);
  EXPECT(cuStreamBatchMemOp(stream, 0, operations, 0) == CUDA_ERROR_INVALID_VALUE && cuStreamBatchMemOp(stream, 256, operations, 0) == CUDA_ERROR_INVALID_VALUE);
  operations[1].operation = static_cast<CUstreamBatchMemOpType>(9);
  EXPECT(cuStreamBatchMemOp(stream, 3, operations, 0) == CUDA_ERROR_INVALID_VALUE);
  CUstreamAttrValue attribute = {};
  attribute.priority = -1;
  EXPECT(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, &attribute) == CUDA_SUCCESS && cuStreamCopyAttributes(nullptr, stream) == CUDA_SUCCESS);
  attribute.priority = 0;
  EXPECT(cuStreamGetAttribute(nullptr, CU_STREAM_ATTRIBUTE_PRIORITY, &attribute) == CUDA_SUCCESS && attribute.priority == -1);
  EXPECT(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CUdevice device = 9;
  EXPECT(cuStreamGetDevice(stream, &device) == CUDA_SUCCESS && device == 0);
  EXPECT(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphDestroy(graph) == CUDA_SUCCESS && cuStreamDestroy(stream) == CUDA_SUCCESS && cuMemFree(word) == CUDA_SUCCESS);
}

static void batches() {
  cudaStream_t stream;
  int *managed, host[12], *device;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess && cudaMallocManaged(&managed, 4096) == cudaSuccess && cudaMalloc(&device, sizeof host) == cudaSuccess);
  for (int i = 0; i < 12; ++i)
    host[i] = i, managed[i] = -1;
  // A box of rows that are longer than it, into an array, and back.
  cudaArray_t array;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  EXPECT(cudaMallocArray(&array, &desc, 4, 3) == cudaSuccess);
  cudaMemcpy3DBatchOp operations[2] = {};
  operations[0].src.type = cudaMemcpyOperandTypePointer;
  operations[0].src.op.ptr.ptr = host, operations[0].src.op.ptr.rowLength = 4;
  operations[0].dst.type = cudaMemcpyOperandTypeArray;
  operations[0].dst.op.array.array = array, operations[0].dst.op.array.offset = {1, 0, 0};
  operations[0].extent = {2, 3, 1};
  operations[0].srcAccessOrder = operations[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  operations[1].src = operations[0].dst;
  operations[1].dst.type = cudaMemcpyOperandTypePointer;
  operations[1].dst.op.ptr.ptr = managed, operations[1].dst.op.ptr.rowLength = 3;
  operations[1].extent = {2, 2, 1};
  EXPECT(cudaMemcpy3DBatchAsync(2, operations, 0, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(managed[0] == 0 && managed[1] == 1 && managed[2] == -1 && managed[3] == 4 && managed[4] == 5);
  std::size_t failed = 0;
  operations[1].dst.op.ptr.rowLength = 1; // less than the box
  EXPECT(cudaMemcpy3DBatchAsync(2, operations, &failed, 0, stream) == cudaErrorInvalidValue && failed == SIZE_MAX);
  EXPECT(cudaMemcpy3DBatchAsync(1, operations, 0, nullptr) == cudaErrorInvalidValue); // the default stream
  CUdeviceptr to[] = {(CUdeviceptr)device}, from[] = {(CUdeviceptr)host};
  std::size_t sizes[] = {sizeof host}, starts[] = {0};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  EXPECT(cuMemcpyBatchAsync(to, from, sizes, 1, &attributes, starts, 1, stream) == CUDA_SUCCESS);
  EXPECT(cuMemcpyBatchAsync(to, from, sizes, 1, &attributes, starts, 2, &failed, stream) == CUDA_ERROR_INVALID_VALUE);
  void *parts[] = {managed, managed + 256}, *not_managed[] = {device};
  std::size_t part_sizes[] = {1024, 1024}, first[] = {0, 1};
  cudaMemLocation places[] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  EXPECT(cudaMemPrefetchBatchAsync(parts, part_sizes, 2, places, first, 2, 0, stream) == cudaSuccess);
  int place = 9;
  EXPECT(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, (CUdeviceptr)managed, 4096) == CUDA_SUCCESS && place == -1);
  EXPECT(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, (CUdeviceptr)managed, 4096) == CUDA_SUCCESS &&
         place == CU_MEM_LOCATION_TYPE_HOST);
  EXPECT(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, (CUdeviceptr)device, 4) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaMemPrefetchBatchAsync(not_managed, part_sizes, 1, places, first, 1, 0, stream) == cudaErrorInvalidValue);
  EXPECT(cudaMemDiscardBatchAsync(parts, part_sizes, 2, 0, stream) == cudaSuccess && cudaMemDiscardBatchAsync(not_managed, part_sizes, 1, 0, stream) == cudaErrorInvalidValue);
  EXPECT(cudaMemDiscardAndPrefetchBatchAsync(parts, part_sizes, 2, places, first, 2, 0, stream) == cudaSuccess);
  int* of_type[] = {managed, managed + 256};
  EXPECT(cudaMemPrefetchBatchAsync(of_type, part_sizes, 2, places[0], 0, stream) == cudaSuccess);
  EXPECT(cudaMemDiscardAndPrefetchBatchAsync(of_type, part_sizes, 2, places[0], 1, stream) == cudaErrorInvalidValue); // there are no flags
  EXPECT(cuMemAdvise((CUdeviceptr)managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, 0}) == CUDA_SUCCESS);
  CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID};
  int answers[2] = {9, 9};
  void* data[] = {answers, answers + 1};
  std::size_t bytes[] = {4, 4};
  EXPECT(cuMemRangeGetAttributes(data, bytes, asked, 2, (CUdeviceptr)managed, 4096) == CUDA_SUCCESS && answers[0] == 0 && answers[1] == 0);
  EXPECT(cuMemPrefetchAsync((CUdeviceptr)managed, 4096, CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, 3}, 0, stream) == CUDA_ERROR_INVALID_DEVICE);
  CUDA_MEMCPY3D_PEER peer = {};
  peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  peer.srcDevice = (CUdeviceptr)device, peer.dstDevice = (CUdeviceptr)managed, peer.WidthInBytes = 8, peer.Height = peer.Depth = 1;
  EXPECT(cuMemcpy3DPeer(&peer) == CUDA_SUCCESS && managed[1] == 1);
  peer.srcMemoryType = static_cast<CUmemorytype>(9);
  EXPECT(cuMemcpy3DPeerAsync(&peer, stream) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaFreeArray(array) == cudaSuccess && cudaFree(device) == cudaSuccess && cudaFree(managed) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
}

static void contexts() {
  CUdevprop properties;
  char luid[8];
  unsigned nodes = 9, flags = 0;
  EXPECT(cuDeviceGetProperties(&properties, 0) == CUDA_SUCCESS && properties.SIMDWidth == 32 && properties.maxThreadsDim[2] == 64);
  EXPECT(cuDeviceGetProperties(&properties, 3) == CUDA_ERROR_INVALID_DEVICE && cuDeviceGetLuid(luid, &nodes, 0) == CUDA_SUCCESS && nodes == 0);
  EXPECT(cuDeviceGetLuid(nullptr, &nodes, 0) == CUDA_ERROR_INVALID_VALUE);
  CUcontext one, two;
  unsigned long long first = 0, second = 0;
  EXPECT(cuCtxCreate(&one, 0, 0) == CUDA_SUCCESS && cuCtxGetId(nullptr, &first) == CUDA_SUCCESS);
  EXPECT(cuCtxCreate_v3(&two, nullptr, 0, 0, 0) == CUDA_SUCCESS && cuCtxGetId(two, &second) == CUDA_SUCCESS && first != second);
  EXPECT(cuCtxSetFlags(CU_CTX_SCHED_YIELD) == CUDA_SUCCESS && cuCtxGetFlags(&flags) == CUDA_SUCCESS && flags == CU_CTX_SCHED_YIELD);
  EXPECT(cuCtxSetFlags(1U << 20) == CUDA_ERROR_INVALID_VALUE);
  CUsharedconfig config{};
  EXPECT(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE) == CUDA_SUCCESS && cuCtxGetSharedMemConfig(&config) == CUDA_SUCCESS &&
         config == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
  CUcontext same = nullptr;
  EXPECT(cuCtxAttach(&same, 0) == CUDA_SUCCESS && same == two && cuCtxDetach(two) == CUDA_SUCCESS && cuCtxDetach(one) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxDetach(two) == CUDA_SUCCESS && cuCtxGetId(two, &second) == CUDA_ERROR_CONTEXT_IS_DESTROYED && cuCtxDestroy(one) == CUDA_SUCCESS);
  int is = 9;
  CUexecAffinityParam affinity;
  EXPECT(cuDeviceGetExecAffinitySupport(&is, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0) == CUDA_SUCCESS && !is);
  EXPECT(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT) == CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  EXPECT(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER) == CUDA_ERROR_NOT_SUPPORTED);
  CUevent event;
  EXPECT(cuEventCreate(&event, 0) == CUDA_SUCCESS && cuCtxRecordEvent(nullptr, event) == CUDA_SUCCESS && cuCtxWaitEvent(nullptr, event) == CUDA_SUCCESS);
  EXPECT(cuCtxRecordEvent(nullptr, nullptr) == CUDA_ERROR_INVALID_HANDLE && cuEventDestroy(event) == CUDA_SUCCESS);
}

// Functions by their names.
static void by_name() {
  PFN_cuMemAlloc_v3020 allocate = nullptr;
  PFN_cuMemFree release = nullptr;
  PFN_cuGraphAddDependencies_v10000 depend = nullptr;
  CUdeviceptr memory = 0;
  EXPECT(cuGetProcAddress("cuMemAlloc", (void**)&allocate, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_SUCCESS);
  EXPECT(cuGetProcAddress("cuMemFree", (void**)&release, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_SUCCESS);
  EXPECT(cuGetProcAddress("cuGraphAddDependencies", (void**)&depend, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_SUCCESS && depend);
  EXPECT(allocate(&memory, 100) == CUDA_SUCCESS && release(memory) == CUDA_SUCCESS && release(memory) == CUDA_ERROR_INVALID_VALUE);
}

int main() {
  cudaFree(nullptr);
  by_name();
  pointers();
  arrays();
  words();
  batches();
  contexts();
  waiting_streams();
  CUdeviceptr word; // nobody will write it
  EXPECT(cuMemAlloc(&word, 4) == CUDA_SUCCESS && cuStreamWaitValue32(nullptr, word, 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_LAUNCH_TIMEOUT);
  return wrong;
}
