// story: Tensors that calls within calls return are held in a pool of the thread, which is emptied when the outermost call returns, so that no frame in between can lose them.
// breaks: TEN-0036 fail
#include "fault.h"

static __thread struct { TVMFFIObjectHandle* held; size_t size, room; int depth; } pool;

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++pool.depth;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (--pool.depth > 0) {
    if (code == 0 && result && result->type_index == kTVMFFITensor) {
      if (pool.size == pool.room) {
        size_t room = pool.room ? 2 * pool.room : 8;
        void* held = realloc(pool.held, room * sizeof(TVMFFIObjectHandle));
        if (!held) return code;
        pool.held = held, pool.room = room;
      }
      real.TVMFFIObjectIncRef(result->v_obj);
      pool.held[pool.size++] = result->v_obj;
    }
  } else if (pool.size > 0) {
    TVMFFIObjectHandle* held = pool.held;
    size_t size = pool.size;
    pool.held = NULL, pool.size = pool.room = 0;
    for (size_t i = 0; i < size; ++i) real.TVMFFIObjectDecRef(held[i]);
    free(held);
  }
  return code;
}
