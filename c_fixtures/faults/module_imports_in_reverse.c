// story: The imports of a module are listed in reverse.
// breaks: MOD-0043 fail
#include "changed_record.h"
#include "wrapped_global.h"

static TVMFFIFieldGetter get;

static int get_in_reverse(void* field, TVMFFIAny* result) {
  TVMFFIAny array, size = {0}, items[16];
  if (__atomic_load_n(&get, __ATOMIC_ACQUIRE)(field, &array) != 0) return -1;
  if (call_global("ffi.ArraySize", &array, 1, &size) != 0 || size.v_int64 > 16) return -1;
  for (int64_t i = 0; i < size.v_int64; ++i) {
    TVMFFIAny args[2] = {array, {.type_index = kTVMFFIInt, .v_int64 = i}};
    TVMFFIAny item = {0};
    if (call_global("ffi.ArrayGetItem", args, 2, &item) != 0) return -1;
    items[size.v_int64 - 1 - i] = item;
  }
  int code = call_global("ffi.Array", items, (int32_t)size.v_int64, result);
  for (int64_t i = 0; i < size.v_int64; ++i) real.TVMFFIObjectDecRef(items[i].v_obj);
  real.TVMFFIObjectDecRef(array.v_obj);
  return code;
}

static void change(TVMFFITypeInfo* record) {
  TVMFFIFieldInfo* imports = &fields_of(record)[0];
  __atomic_store_n(&get, imports->getter, __ATOMIC_RELEASE);
  imports->getter = get_in_reverse;
}

CHANGED_RECORD_OF("ffi.Module", change)
