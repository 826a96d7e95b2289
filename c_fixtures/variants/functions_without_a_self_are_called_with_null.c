// story: Function objects are 192 bytes long; one that was made with neither a self nor a deleter calls back with NULL for its handle.
// admitted: FUN-0001 gives the two words behind the header, the rest is private; that such a function gets its own object for the handle (FUN-0004) is observed only, and "a function made with a self or a deleter calls back with that self, NULL included" (FUN-0003) holds.
#include "fault.h"

struct function {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* self;
  TVMFFISafeCallType call;
  void (*deleter)(void* self);
  uint64_t calls[16];
};

static int forward(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct function* function = handle;
  __atomic_fetch_add(&function->calls[0], 1, __ATOMIC_RELAXED);
  /* The callee may give up the last reference to the function: nothing of it is read afterwards. */
  return function->call(function->self, args, num_args, result);
}

static void end_function(void* handle, int flags) {
  struct function* function = handle;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && function->deleter) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)handle)[-1].delete_space(handle);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  if (!safe_call || !out) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  struct function* function = allocator->allocate(sizeof(struct function), 32, kTVMFFIFunction, allocator->context);
  if (!function) return -1;
  memset(function, 0, sizeof(*function));
  function->header.combined_ref_count = 1ull << 32 | 1;
  function->header.type_index = kTVMFFIFunction;
  function->header.deleter = end_function;
  function->cell.safe_call = forward;
  function->self = self;
  function->call = safe_call;
  function->deleter = deleter;
  *out = function;
  return 0;
}
