# gputest_add_kernel(): k: REFERENCE_FUNCTION: with REFERENCE HOST it is the FUNCTION itself: leave it out
gputest_add_kernel(k SOURCE k.cu FUNCTION f GLOBAL_SIZE 4 REFERENCE HOST REFERENCE_FUNCTION g)
