typedef struct { int n; float4 v; } Item;
#define SQUARE(x) ((x) * (x))
int part(local int* l, int i) { return i > 0 ? l[i - 1] : 0; }
kernel void k(global Item* items, local int* part_sums, const int n, read_only image2d_t image, sampler_t s) {
  const size_t i = get_global_id(0), j = get_local_id(0);
  part_sums[j] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < n && i < 100; ++round) {
    switch (round % 3) {
    case 0: part_sums[j] += SQUARE(round); break;
    case 1: continue;
    default: items[i].v.xy = (float2)(round, 1.0f);
    }
    if (round == 7) goto end;
    atomic_inc(&items[0].n);
  }
  do { part_sums[j] >>= 1; } while (part_sums[j] > 4);
end:
  barrier(CLK_LOCAL_MEM_FENCE);
  items[i].v += read_imagef(image, s, (int2)(0, 0)) * part(part_sums, (int)j);
}
