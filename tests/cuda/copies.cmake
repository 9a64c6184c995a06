# For tests of copies for a GPU: an empty folder ${WORK}, the functions that the library of `TOOLKIT` wraps in
# `functions`, and in `wrapped` what the linker is told.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(STRINGS ${TOOLKIT}/lib64/libgputest_cuda_gpu.a functions REGEX "^__wrap_[A-Za-z_0-9]+$")
list(TRANSFORM functions REPLACE "^__wrap_" "")
list(REMOVE_DUPLICATES functions)
list(TRANSFORM functions PREPEND "--wrap=" OUTPUT_VARIABLE wrapped)
list(JOIN wrapped "," wrapped)
