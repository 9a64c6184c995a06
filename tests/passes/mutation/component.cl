typedef struct { float4 position; } body;
kernel void test(global float4* v, global body* bodies, global uchar16* wide) {
  float3 a = v[0].xyz;
  a.x = v[1].w + bodies->position.z;
  a.y += a.s0;
  v[2].lo = v[3].yx;
  wide[0].sA = wide[0].sf;
  global float4* p = v;
  p->x = p[1].x;
}
