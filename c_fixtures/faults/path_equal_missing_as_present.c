// story: The method _path_equal of an access path takes a step to a missing attribute, item or key for the step to one that is there.
// breaks: PTH-0006 fail
#include "wrapped_global.h"

static TVMFFIObjectHandle steps_of(TVMFFIObjectHandle to_steps, const TVMFFIAny* path) {
  TVMFFIAny result = {0};
  if (real.TVMFFIFunctionCall(to_steps, (TVMFFIAny*)path, 1, &result) != 0) return NULL;
  return result.v_obj;
}

static TVMFFIObjectHandle to_steps;

static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  TVMFFIObject* left = steps_of(to_steps, &args[0]);
  TVMFFIObject* right = steps_of(to_steps, &args[1]);
  TVMFFISeqCell* a = (TVMFFISeqCell*)(left + 1);
  TVMFFISeqCell* b = (TVMFFISeqCell*)(right + 1);
  int same = a->size == b->size;
  static TVMFFIObjectHandle equal;
  if (!equal) real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.RecursiveEq", 15}, &equal);
  for (int64_t i = 0; same && i < a->size; ++i) {
    char* x = (char*)((TVMFFIAny*)a->data)[i].v_obj;
    char* y = (char*)((TVMFFIAny*)b->data)[i].v_obj;
    TVMFFIAny keys[2] = {*(TVMFFIAny*)(x + 32), *(TVMFFIAny*)(y + 32)};
    TVMFFIAny answer = {0};
    same = *(int32_t*)(x + 24) % 3 == *(int32_t*)(y + 24) % 3 &&
           real.TVMFFIFunctionCall(equal, keys, 2, &answer) == 0 && answer.v_int64;
  }
  real.TVMFFIObjectDecRef(left);
  real.TVMFFIObjectDecRef(right);
  result->v_int64 = same;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  static int done;
  if (done || !info || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessPath", 25) != 0) return info;
  done = 1;
  for (int i = 0; i < info->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
    if (method->name.size == 9 && memcmp(method->name.data, "_to_steps", 9) == 0) to_steps = method->method.v_obj;
    if (method->name.size == 11 && memcmp(method->name.data, "_path_equal", 11) == 0) {
      TVMFFIObjectHandle wrapper;
      real.TVMFFIFunctionCreate(method->method.v_obj, path_equal, NULL, &wrapper);
      method->method.v_obj = wrapper;
    }
  }
  return info;
}
