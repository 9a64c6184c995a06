# gputest_add_kernel(): k: REFERENCE_FUNCTION without REFERENCE: name the C++ file the function is in
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 REFERENCE_FUNCTION f)
