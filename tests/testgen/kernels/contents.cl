// Conditions on what buffers hold: nested ones, a struct's member, and another work-item's value.
typedef struct {
  int kind;
  float4 place;
  short tags[3];
} Body;

kernel void contents(global int* out, global const uchar* text, global const Body* bodies, int n,
                     local int* shared) {
  const int i = get_global_id(0), l = get_local_id(0);
  int value = 0;
  if (text[0] == 'G')
    if (text[1] == 'P')
      if (text[2] == 'U')
        value = 1;
  if (i < n && bodies[i].kind == 7)
    value += bodies[i].place.y > 1.5f ? 2 : bodies[i].tags[2] < 0 ? 4 : 8;
  shared[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = shared[(l + 1) % get_local_size(0)];
  if (other == 4)
    value += 16;
  out[i] = value + i;
}
