// What is checked, and against which bounds.
typedef struct { int count; int values[4]; } record;
constant float weights[3] = {1.0f, 2.0f, 1.0f};
int first(global const int* from, int offset) { return from[offset] / offset; }
static float blur(local float* line, int i) {
  float sum = 0;
  for (int k = -1; k <= 1; ++k)
    sum += line[i + k] * weights[k + 1];
  return sum;
}
kernel void test(global int* out, global const int* in, local float* line, global record* records, int n) {
  float own[2][3];
  global const int* cursor = in + n;
  global const int* either = n > 1 ? in : out;
  own[n & 1][n % 3] = blur(line, n) + blur(line + 1, 2);
  *out = first(cursor, n) + first(in, 2) + *cursor++;
  out[1] = *cursor + *(in + n) + either[0] + records[n].values[n] + records->count;
  out[n] += (int)own[0][0] / n % 3;
  out[2] = vload4(n, in).x;
  vstore2((int2)(n / 2), n, out);
  atomic_add(&out[n], 1);
  global int* last = &out[n];
  n /= in[0];
  goto end;
end:
  *last = 1;
}
