// story: ffi.RecursiveHash answers other numbers than the releases for plain values, texts and containers, the C++ function the same ones.
// admitted: REC-0011: recursively equal values have the same hash, whatever form; the numbers (REC-0013) are observed only; what a hook in __ffi_hash__ answers stays (HOK-0006), and CXX-0011 holds.
#include "replaced_globals.h"

/* One to one: equal hashes stay equal, different ones different. */
static int64_t mixed(int64_t hash) {
  uint64_t h = (uint64_t)hash * 0x9E3779B97F4A7C15ull;
  return (int64_t)(h ^ h >> 32);
}

/** Whether no hook of the type can have answered the number itself. */
static int has_no_hook(int32_t type_index) {
  const TVMFFIByteArray name = {"__ffi_hash__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (type_index == kTVMFFIRawStr || type_index == kTVMFFISmallStr) type_index = kTVMFFIStr;
  if (type_index == kTVMFFIByteArrayPtr || type_index == kTVMFFISmallBytes) type_index = kTVMFFIBytes;
  if (type_index < 0 || type_index > kTVMFFIDict || type_index == kTVMFFIObjectRValueRef) return 0;
  if (!column || type_index < column->begin_index || type_index - column->begin_index >= column->size) return 1;
  return column->data[type_index - column->begin_index].type_index == kTVMFFINone;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return call_original(original, args, num_args, result);
  TVMFFIAny own = args[0], moved = {0};
  if (own.type_index == kTVMFFIObjectRValueRef) {
    if (real.TVMFFIAnyViewToOwnedAny(&args[0], &moved) != 0) return -1;
    own = moved;
  }
  const int is_mixed = has_no_hook(own.type_index);
  int code = call_original(original, &own, 1, result);
  if (code == 0 && is_mixed && result->type_index == kTVMFFIInt) result->v_int64 = mixed(result->v_int64);
  give_up(&moved);
  return code;
}

static void install(void) { put("ffi.RecursiveHash", hash); }

__attribute__((visibility("default"))) int64_t _ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE(const TVMFFIAny* value) {
  const int64_t answer = ((int64_t (*)(const TVMFFIAny*))real_cxx("_ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE"))(value);
  return has_no_hook(value->type_index) ? mixed(answer) : answer;
}
