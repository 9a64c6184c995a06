// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between a harness and the program gputest-simulator.
//
// The harness starts `gputest-simulator --serve <socket> <memory>` with two inherited descriptors.
// `socket` is one end of a stream socket pair. A message is a 4-byte length in the machine's byte
// order and that many bytes of JSON. Each request has one reply. `memory` is a memory file
// (memfd_create) that both map. The content of buffers and images is there, never in a message. The
// program ends when the socket is closed.
//
// Messages are the types of wire.h and those below, with a key for each member. A request's key
// "do" says which it is:
//
// {"do": "build", …}     Build → Built
// {"do": "launch", …}    Launch → Launched
// {"do": "explore", …}   Explore → Explored
// {"do": "locate", …}    Locate → Located
//
// Every reply may also be a Refusal. With "fatal": true in a reply, the kernel may have damaged the
// process, which ends after the reply.
#pragma once

#include "simulator/memory/shared_memory.h"
#include "simulator/wire.h"
