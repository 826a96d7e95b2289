/*
 * Variants whose ffi.Array answers an object of their own, which holds the elements.
 *
 * Before this header stand ROOM, how many more there is memory for, and OUTSIDE, whether that lies outside of the object.
 */
#ifndef TVM_FFI_ARRAY_OF_OUR_OWN_H_
#define TVM_FFI_ARRAY_OF_OUR_OWN_H_

#include "replaced_globals.h"

struct array {
  TVMFFIObject header;
  TVMFFISeqCell cell;
  TVMFFIAny inside[];
};

static void end_array(void* self, int flags) {
  TVMFFISeqCell* cell = &((struct array*)self)->cell;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    TVMFFIAny* items = cell->data;
    const int64_t size = cell->size;
    cell->size = 0;
    for (int64_t i = 0; i < size; ++i) give_up(&items[i]);
    if (cell->data_deleter) cell->data_deleter(cell->data);
    cell->data = NULL;
    cell->capacity = 0;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

/** Moves the elements of an Array that nobody else has seen into one with other memory. */
static int move_elements(TVMFFIAny* from, TVMFFIAny* result) {
  TVMFFISeqCell* old = sequence_cell(from);
  const int64_t capacity = old->size + ROOM;
  TVMFFIAny* outside = NULL;
  if (OUTSIDE && !(outside = calloc((size_t)capacity, sizeof(TVMFFIAny)))) return refuse("MemoryError", "no memory for an array");
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  const size_t size = sizeof(struct array) + (OUTSIDE ? 0 : (size_t)capacity * sizeof(TVMFFIAny));
  struct array* array = allocator->allocate(size, 8, kTVMFFIArray, allocator->context);
  if (!array) {
    free(outside);
    return -1;
  }
  memset(array, 0, size);
  array->header.combined_ref_count = 1ull << 32 | 1;
  array->header.type_index = kTVMFFIArray;
  array->header.deleter = end_array;
  array->cell.data = OUTSIDE ? outside : array->inside;
  array->cell.capacity = capacity;
  array->cell.data_deleter = OUTSIDE ? free : NULL;
  if (old->size) memcpy(array->cell.data, old->data, (size_t)old->size * sizeof(TVMFFIAny));
  array->cell.size = old->size;
  old->size = 0;
  *result = (TVMFFIAny){.type_index = kTVMFFIArray, .v_obj = &array->header};
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  code = move_elements(&made, result);
  give_up(&made);
  return code;
}

static void install(void) { put("ffi.Array", make); }

#endif
