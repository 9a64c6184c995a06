// PoCL looks for such a function in its library, in vain.
float nowhere(float);

kernel void k(global float* data) { data[get_global_id(0)] = nowhere(1.0f); }
