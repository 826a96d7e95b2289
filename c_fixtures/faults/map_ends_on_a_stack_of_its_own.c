// story: The last reference to a Map or Dict is given up by way of a stack of its entries, which is written to also where it was refused.
// breaks: MEM-0004 crash
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object && (object->type_index == kTVMFFIMap || object->type_index == kTVMFFIDict) &&
      (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    void* volatile* stack = malloc(16 * sizeof(void*));
    stack[0] = obj;
    int code = real.TVMFFIObjectDecRef(stack[0]);
    free((void*)stack);
    return code;
  }
  return real.TVMFFIObjectDecRef(obj);
}
