kernel void scale(global const int* in, nonsense
