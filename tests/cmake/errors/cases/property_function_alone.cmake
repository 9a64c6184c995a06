# gputest_add_kernel(): k: PROPERTY_FUNCTION without PROPERTY: name the C++ file the function is in
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 PROPERTY_FUNCTION f)
