// cuBLASLt's products against plain loops: types, orders, batches, epilogues. And NVML.
// Link: -lcublasLt -lnvidia-ml
#include <cublasLt.h>
#include <nvml.h>

#include "numbers.h"

#include <string>

static cublasLtHandle_t handle;

#define PASSES(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

// A matrix of each of `batches`, by columns or by rows.
template <typename N> struct Matrix {
  int rows, cols, ld, batches;
  cublasLtOrder_t order;
  Both<N> values;
  cublasLtMatrixLayout_t layout = nullptr;
  Matrix(cudaDataType type, int m, int n, int count,
         cublasLtOrder_t of_all = random_int(0, 1) ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL)
      : rows(m), cols(n), ld(0), batches(count), order(of_all),
        values(random_numbers<N>(stride() * count)) {
    PASSES(cublasLtMatrixLayoutCreate(&layout, type, uint64_t(m), uint64_t(n), ld));
    const int64_t step = stride();
    PASSES(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    PASSES(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches));
    PASSES(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step));
  }
  ~Matrix() { cublasLtMatrixLayoutDestroy(layout); }
  long stride() {
    const int inner = order == CUBLASLT_ORDER_ROW ? cols : rows, outer = order == CUBLASLT_ORDER_ROW ? rows : cols;
    ld = ld ? ld : inner + random_int(0, 2);
    return long(ld) * outer;
  }
  size_t place(int batch, int i, int j) {
    return size_t(stride() * batch) + size_t(order == CUBLASLT_ORDER_ROW ? i * ld + j : j * ld + i);
  }
  N& operator()(int batch, int i, int j) { return values.host[place(batch, i, j)]; }
};

template <typename N> static void products(cudaDataType type, cublasComputeType_t compute) {
  const int m = random_int(1, 12), n = random_int(1, 12), k = random_int(1, 12), count = random_int(1, 3);
  const cublasOperation_t ta = random_int(0, 1) ? CUBLAS_OP_N : CUBLAS_OP_T, tb = random_int(0, 1) ? CUBLAS_OP_N : CUBLAS_OP_T;
  const N alpha = random_number<N>(), beta = random_int(0, 1) ? random_number<N>() : N(0);
  Matrix<N> a(type, ta ? k : m, ta ? m : k, count), b(type, tb ? n : k, tb ? k : n, count), c(type, m, n, count),
      d(type, m, n, count, c.order);
  const Both<N> bias(random_numbers<N>(m));
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  if (!kIsComplex<N> && random_int(0, 1))
    epilogue = random_int(0, 1) && d.order == CUBLASLT_ORDER_COL ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
  cublasLtMatmulDesc_t descr = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  PASSES(cublasLtMatmulDescCreate(&descr, compute, type));
  PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_TRANSA, &ta, sizeof ta));
  PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_TRANSB, &tb, sizeof tb));
  PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  if (epilogue == CUBLASLT_EPILOGUE_RELU_BIAS)
    PASSES(
        cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.device, sizeof bias.device));
  PASSES(cublasLtMatmulPreferenceCreate(&preference));
  const size_t most = 1 << 20;
  PASSES(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
  cublasLtMatmulHeuristicResult_t result{};
  int found = 0;
  PASSES(cublasLtMatmulAlgoGetHeuristic(handle, descr, a.layout, b.layout, c.layout, d.layout, preference, 1, &result,
                                        &found));
  EXPECT(found == 1 && result.workspaceSize <= most);
  void* work = nullptr;
  cudaMalloc(&work, result.workspaceSize + 1);
  PASSES(cublasLtMatmul(handle, descr, &alpha, a.values.device, a.layout, b.values.device, b.layout, &beta,
                        c.values.device, c.layout, d.values.device, d.layout, &result.algo, work, result.workspaceSize,
                        nullptr));
  for (int batch = 0; batch < count; ++batch)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        N sum{};
        for (int l = 0; l < k; ++l)
          sum += (ta ? a(batch, l, i) : a(batch, i, l)) * (tb ? b(batch, j, l) : b(batch, l, j));
        sum = alpha * sum + beta * c(batch, i, j);
        if (epilogue & CUBLASLT_EPILOGUE_BIAS)
          sum += bias.host[size_t(i)];
        if (epilogue & CUBLASLT_EPILOGUE_RELU)
          sum = std::real(sum) > 0 ? sum : N(0);
        d(batch, i, j) = sum;
      }
  EXPECT(is_close(d.values.get(), d.values.host, k));
  cudaFree(work);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatmulDescDestroy(descr);
}

static void mistakes() {
  Matrix<float> a(CUDA_R_32F, 2, 3, 1), b(CUDA_R_32F, 4, 2, 1), c(CUDA_R_32F, 2, 2, 1);
  cublasLtMatmulDesc_t descr = nullptr;
  PASSES(cublasLtMatmulDescCreate(&descr, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const float one = 1;
  EXPECT(cublasLtMatmul(handle, descr, &one, a.values.device, a.layout, b.values.device, b.layout, &one,
                        c.values.device, c.layout, c.values.device, c.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_TRANSA, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmul(nullptr, descr, &one, nullptr, a.layout, nullptr, b.layout, &one, nullptr, c.layout, nullptr,
                        c.layout, nullptr, nullptr, 0, nullptr) != CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulDescDestroy(descr);
}

static void devices() {
  unsigned count = 0;
  EXPECT(nvmlInit() == NVML_SUCCESS);
  EXPECT(nvmlDeviceGetCount(&count) == NVML_SUCCESS && count >= 1);
  nvmlDevice_t device = nullptr;
  EXPECT(nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
  char name[NVML_DEVICE_NAME_BUFFER_SIZE] = "", tiny[2];
  EXPECT(nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS);
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  EXPECT(std::string(name) == properties.name);
  EXPECT(nvmlDeviceGetName(device, tiny, sizeof tiny) == NVML_ERROR_INSUFFICIENT_SIZE);
  nvmlMemory_t memory{};
  EXPECT(nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS && memory.total > 0 &&
         memory.free + memory.used <= memory.total);
  EXPECT(nvmlDeviceGetHandleByIndex(count, &device) == NVML_ERROR_INVALID_ARGUMENT);
  EXPECT(nvmlShutdown() == NVML_SUCCESS);
}

int main() {
  PASSES(cublasLtCreate(&handle));
  for (int i = 0; i < repeats(); ++i) {
    products<float>(CUDA_R_32F, CUBLAS_COMPUTE_32F);
    products<double>(CUDA_R_64F, CUBLAS_COMPUTE_64F);
    products<std::complex<float>>(CUDA_C_32F, CUBLAS_COMPUTE_32F);
  }
  mistakes();
  devices();
  PASSES(cublasLtDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
