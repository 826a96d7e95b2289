// story: What a deleter gives up for the last time waits in a queue until the outermost DecRef returns, however shallow it lies.
// breaks: OBJ-0009 fail
#include "fault.h"

static __thread int depth;
static __thread TVMFFIObjectHandle queue[256];
static __thread int queued;

static int give_up(TVMFFIObjectHandle object) {
  ++depth;
  int code = real.TVMFFIObjectDecRef(object);
  --depth;
  return code;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle object) {
  TVMFFIObject* header = object;
  if (header && depth > 0 && queued < 256 && __atomic_load_n(&header->combined_ref_count, __ATOMIC_ACQUIRE) == 0x100000001) {
    queue[queued++] = object;
    return 0;
  }
  int code = give_up(object);
  while (depth == 0 && queued > 0) {
    TVMFFIObjectHandle next = queue[0];
    memmove(queue, queue + 1, (size_t)--queued * sizeof(queue[0]));
    give_up(next);
  }
  return code;
}
