// The k largest scores of a row with their places: the largest is found by shuffles, and struck out.
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#define OWN 4 // of a work-item, in registers

__attribute__((intel_reqd_sub_group_size(16)))
kernel void top_k(global const float* scores, global float* best, global int* places, int columns, int k) {
  const int row = get_group_id(0), lane = get_sub_group_local_id();
  const int lanes = get_sub_group_size();
  float own[OWN];
#ifdef UNWRITTEN
  for (int i = 0; i < OWN; ++i)
    if (i * lanes + lane < columns)
      own[i] = scores[row * columns + i * lanes + lane];
#else
  for (int i = 0; i < OWN; ++i) {
    const int at = i * lanes + lane;
    own[i] = at < columns ? scores[row * columns + at] : -INFINITY;
  }
#endif

  for (int rank = 0; rank < k; ++rank) {
    float most = own[0];
    int place = lane;
    for (int i = 1; i < OWN; ++i)
      if (own[i] > most) {
        most = own[i];
        place = i * lanes + lane;
      }
    for (uint step = lanes / 2; step > 0; step /= 2) {
#ifdef DIVERGENT
      if (lane < step) {
        const float other = sub_group_shuffle_down(most, step);
        const int other_place = sub_group_shuffle_down(place, step);
#else
      {
        const float other = sub_group_shuffle_xor(most, step);
        const int other_place = sub_group_shuffle_xor(place, step);
#endif
        if (other > most || (other == most && other_place < place)) {
          most = other;
          place = other_place;
        }
      }
    }
    most = sub_group_broadcast(most, 0);
    place = sub_group_broadcast(place, 0);
    if (place % lanes == lane)
      own[place / lanes] = -INFINITY;
    if (lane == 0) {
      best[row * k + rank] = most;
      places[row * k + rank] = place;
    }
  }
}
