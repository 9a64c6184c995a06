#include "body.h"

// The acceleration of a body at `at` by the one at `other`, whose mass is other.w (G = 1).
static float4 pull(const float4 at, const float4 other, const float softening) {
  float4 way = other - at;
  way.w = 0.0f;
  const float square = dot(way, way) + softening * softening;
  if (square == 0.0f)
    return (float4)(0.0f);
  const float inverse = rsqrt(square);
  return way * (other.w * inverse * inverse * inverse);
}

// One time step, velocities first (semi-implicit Euler). A group loads the bodies tile by tile;
// `tile` has an element for each of its work-items.
kernel void advance(global const struct Body* restrict now, global struct Body* restrict next,
                    const struct Simulation simulation, local float4* tile) {
  const uint me = get_global_id(0), lid = get_local_id(0);
  const bool active = me < simulation.bodies;
  const float4 at = active ? now[me].position : (float4)(0.0f);

  float4 acceleration = (float4)(0.0f);
  for (uint first = 0; first < simulation.bodies; first += get_local_size(0)) {
    if (first + lid < simulation.bodies)
      tile[lid] = now[first + lid].position;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint in_tile = min((uint)get_local_size(0), simulation.bodies - first);
    for (uint i = 0; i < in_tile; ++i)
      acceleration += pull(at, tile[i], simulation.softening);
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (!active)
    return;
  struct Body body = now[me];
  body.velocity.xyz += acceleration.xyz * simulation.time_step;
  body.position.xyz += body.velocity.xyz * simulation.time_step;
  next[me] = body;
}
