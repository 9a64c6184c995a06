// The copies of programs/waited_copies.cu without waits: each is a race with the read behind.
// CHECK-DAG: waited_copies.cu:21:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:36:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:{{(48|50)}}:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:61:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:71:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:{{(84|88)}}:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:104:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
// CHECK-DAG: waited_copies.cu:116:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of '{{(tile|second)}}', within a block: thread
#define WAIT(text)
#include "../programs/waited_copies.cu"
