// story: The extents of a Shape that ffi.Shape makes lie in a block of their own at a multiple of 64, for the empty Shape too.
// admitted: CNT-0001: behind the header it has 'their address and their number'; c_api.h: 'The extents, which the object owns'; nobody says where they lie.
#include "replaced_globals.h"

struct shape {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
};

static void end_shape(void* self, int flags) {
  struct shape* shape = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free((void*)shape->cell.data);
    shape->cell = (TVMFFIShapeCell){NULL, 0};
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  const TVMFFIShapeCell old = ((struct shape*)made.v_obj)->cell;
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  int64_t* extents = aligned_alloc(64, (old.size * sizeof(int64_t) + 64) / 64 * 64);
  struct shape* shape = extents ? allocator->allocate(sizeof(*shape), 8, kTVMFFIShape, allocator->context) : NULL;
  if (!shape) {
    if (!extents) refuse("MemoryError", "no memory for a shape");
    free(extents);
    give_up(&made);
    return -1;
  }
  if (old.size) memcpy(extents, old.data, old.size * sizeof(int64_t));
  memset(shape, 0, sizeof(*shape));
  shape->header.combined_ref_count = 1ull << 32 | 1;
  shape->header.type_index = kTVMFFIShape;
  shape->header.deleter = end_shape;
  shape->cell = (TVMFFIShapeCell){extents, old.size};
  give_up(&made);
  *result = (TVMFFIAny){.type_index = kTVMFFIShape, .v_obj = &shape->header};
  return 0;
}

static void install(void) { put("ffi.Shape", make); }
