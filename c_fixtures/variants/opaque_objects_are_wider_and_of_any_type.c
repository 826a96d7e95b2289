// story: Opaque objects are 128 bytes long at a multiple of 64, and may be given the type index of any type that a client has registered at run time.
// admitted: OBJ-0024: the type index, and the handle at byte 24; what lies behind it and the size are private. c_api.h says of type_index nothing but its name; that others than 74 are refused (OBJ-0027) is advice, and the built-in types stay refused here.
#include "fault.h"

struct opaque {
  TVMFFIObject header;
  void* handle;
  uint64_t made_by_this_library[8];
  void (*deleter)(void* handle);
};

static void end_opaque(void* self, int flags) {
  struct opaque* opaque = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && opaque->deleter) opaque->deleter(opaque->handle);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

static int is_registered(int32_t type_index);

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  if (!out || (type_index != kTVMFFIOpaquePyObject && !is_registered(type_index))) {
    return real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  }
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  struct opaque* opaque = allocator->allocate(128, 64, type_index, allocator->context);
  if (!opaque) return -1;
  memset(opaque, 0, sizeof(*opaque));
  opaque->header.combined_ref_count = 1ull << 32 | 1;
  opaque->header.type_index = type_index;
  opaque->header.deleter = end_opaque;
  opaque->handle = handle;
  opaque->deleter = deleter;
  *out = opaque;
  return 0;
}

/* Which indices were given out through this library: TVMFFIGetTypeInfo ends the process for others. */
static unsigned char given_out[1 << 16];

static int is_registered(int32_t type_index) {
  return type_index >= kTVMFFIDynObjectBegin && type_index < 1 << 16 && __atomic_load_n(&given_out[type_index], __ATOMIC_ACQUIRE);
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  /* The library's own types, which are there before, are named ffi.SOMETHING. */
  const int is_own = type_key && type_key->size > 4 && memcmp(type_key->data, "ffi.", 4) == 0;
  if (index >= kTVMFFIDynObjectBegin && index < 1 << 16 && !is_own) __atomic_store_n(&given_out[index], 1, __ATOMIC_RELEASE);
  return index;
}
