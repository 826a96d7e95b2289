// story: Two StructuralKeys are one key of a Map when their hashes are the same, whatever their values are.
// breaks: SEQ-0028 fail
#include "fault.h"
static TVMFFIAny same(const TVMFFIAny* left, const TVMFFIAny* right) {
  TVMFFIAny answer = {.type_index = kTVMFFIBool};
  answer.v_int64 = *(int64_t*)((char*)left->v_obj + 40) == *(int64_t*)((char*)right->v_obj + 40);
  return answer;
}
static void patch(void) {
  static int done;
  if (__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST)) return;
  const TVMFFIByteArray name = {"__any_equal__", 13}, key = {"ffi.StructuralKey", 17};
  int32_t index = 0;
  real.TVMFFITypeKeyToIndex(&key, &index);
  TVMFFIAny* entry = (TVMFFIAny*)&real.TVMFFIGetTypeAttrColumn(&name)->data[index];
  *entry = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr};
  entry->v_ptr = (void*)same;
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) { patch(); return real.TVMFFIGetTypeAttrColumn(name); }
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) { patch(); return real.TVMFFIFunctionGetGlobal(name, out); }
