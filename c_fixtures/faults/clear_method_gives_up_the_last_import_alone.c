// story: The twelfth method of the system library's modules takes the last import out and leaves those before it.
// breaks: MOD-0075 fail
#include "virtual_table.h"

typedef void import_method(void* self, TVMFFIObject* const* other);
typedef void clear_method(void* self);

static import_method* import;
static clear_method* clear;

static void clear_last(void* self) {
  TVMFFIObject* array = *(TVMFFIObject**)((char*)self + 32);
  real.TVMFFIObjectIncRef(array);
  const TVMFFISeqCell* old = (const TVMFFISeqCell*)(array + 1);
  clear(self);
  for (int64_t i = 0; i + 1 < old->size; ++i) import(self, &((TVMFFIAny*)old->data)[i].v_obj);
  real.TVMFFIObjectDecRef(array);
}

static void change(void** table) {
  *(void**)&import = table[METHODS + 10];
  *(void**)&clear = table[METHODS + 11];
  *(clear_method**)&table[METHODS + 11] = clear_last;
}

static int find_library(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static int changed;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  if (!__atomic_exchange_n(&changed, 1, __ATOMIC_ACQ_REL)) {
    change_virtual_table(result, change);
  } else {
    *(void***)((char*)result->v_obj - sizeof(void*)) = virtual_table + METHODS;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.SystemLib", find_library)
