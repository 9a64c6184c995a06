// The first version of cuBLAS: factors and results by value, and an error that is kept.
// Link: -lcublas_static -lculibos
#include <cublas.h>

#include "check.h"

int main() {
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS); // before cublasInit(), too
  EXPECT(cublasInit() == CUBLAS_STATUS_SUCCESS);
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
  float c[4] = {1, 1, 1, 1}, *x = nullptr, *y = nullptr, *z = nullptr;
  for (float** place : {&x, &y, &z})
    EXPECT(cublasAlloc(4, sizeof(float), reinterpret_cast<void**>(place)) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMatrix(2, 2, sizeof(float), a, 2, x, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMatrix(2, 2, sizeof(float), b, 2, y, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMatrix(2, 2, sizeof(float), c, 2, z, 2) == CUBLAS_STATUS_SUCCESS);
  cublasSgemm('n', 't', 2, 2, 2, 1.0f, x, 2, y, 2, 2.0f, z, 2);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGetMatrix(2, 2, sizeof(float), z, 2, c, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(c[0] == 28 && c[1] == 40 && c[2] == 32 && c[3] == 46);
  EXPECT(cublasSdot(4, x, 1, y, 1) == 70);
  EXPECT(cublasIsamax(4, x, 1) == 4);
  EXPECT(cublasSasum(4, x, 1) == 10);
  cublasSgemm('x', 'n', 2, 2, 2, 1.0f, x, 2, y, 2, 2.0f, z, 2);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  cublasStrsm('x', 'u', 'n', 'n', 2, 2, 1.0f, x, 2, y, 2);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  for (float* place : {x, y, z})
    EXPECT(cublasFree(place) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  return wrong;
}
