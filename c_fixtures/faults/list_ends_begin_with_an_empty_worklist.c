// story: So that deep Lists end without recursion, the Lists that a List alone holds go on a worklist of the thread; the end of a List begins with an empty one, also when it is called from within the end of an element.
// breaks: CNT-0007 fail
#include "wrapped_global.h"

#define DEPTH 256
static __thread struct { TVMFFIObject* waiting[DEPTH]; int size; } work;
static void (*list_deleter)(void* self, int flags);

static void end(void* self, int flags);

static void end_elements(TVMFFIObject* list) {
  TVMFFISeqCell* cell = (TVMFFISeqCell*)(list + 1);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny element = ((TVMFFIAny*)cell->data)[i];
    if (element.type_index < kTVMFFIStaticObjectBegin) continue;
    ((TVMFFIAny*)cell->data)[i] = (TVMFFIAny){0};
    if (element.v_obj->deleter == end && work.size < DEPTH &&
        __atomic_load_n(&element.v_obj->combined_ref_count, __ATOMIC_ACQUIRE) == 0x100000001ull) {
      work.waiting[work.size++] = element.v_obj;
    } else {
      real.TVMFFIObjectDecRef(element.v_obj);
    }
  }
}

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    work.size = 0;
    end_elements((TVMFFIObject*)self);
    while (work.size > 0) {
      TVMFFIObject* next = work.waiting[--work.size];
      __atomic_sub_fetch(&next->combined_ref_count, 1, __ATOMIC_ACQ_REL);
      end_elements(next);
      list_deleter(next, kTVMFFIObjectDeleterFlagBitMaskBoth);
    }
  }
  list_deleter(self, flags);
}

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIList) {
    __atomic_store_n(&list_deleter, result->v_obj->deleter, __ATOMIC_RELEASE);
    result->v_obj->deleter = end;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.List", list)
