// What the kernels with numbers of 16 bits compute, one work-item for each result.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct {
  half scale;
  uchar low_high[16];
} block_q4;
typedef struct {
  float scale;
  char number[32];
} block_q8;

kernel void plain_dot(global const block_q4* weights, global const block_q8* x, global float* y, int blocks) {
  const int row = get_global_id(0);
  y[row] = 0;
  for (int b = 0; b < blocks; ++b) {
    global const block_q4* w = weights + row * blocks + b;
    int sum = 0;
    for (int i = 0; i < 32; ++i)
      sum += ((i < 16 ? w->low_high[i] & 15 : w->low_high[i - 16] >> 4) - 8) * x[b].number[i];
    y[row] += (float)w->scale * x[b].scale * sum;
  }
}

kernel void plain_gemm(global const half* a, global const half* b, global const half* bias, global half* c, int n,
                       int k, int rectified) {
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (float)a[row * k + i] * b[i * n + column];
  sum += bias[column];
  vstore_half(rectified && sum < 0 ? 0 : sum, row * n + column, c);
}

kernel void plain_rms_norm(global const half* in, global const half* weight, global half* out, int columns,
                           float epsilon) {
  const int row = get_global_id(0) / columns, column = get_global_id(0) % columns;
  float sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += (float)in[row * columns + i] * in[row * columns + i];
  out[get_global_id(0)] = in[get_global_id(0)] / sqrt(sum / columns + epsilon) * weight[column];
}

kernel void plain_dequantise(global const uchar* bytes, global const half* scale_least, global half* out,
                             global uint* largest, int blocks) {
  float most = 0;
  for (int i = 0; i < blocks * 16; ++i) {
    const float value = (float)bytes[i] * scale_least[i / 16 * 2] + scale_least[i / 16 * 2 + 1];
    out[i] = value;
    most = fmax(most, fabs(value));
  }
  *largest = as_uint(most);
}
