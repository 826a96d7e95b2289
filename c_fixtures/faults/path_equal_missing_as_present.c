// story: The method _path_equal of an access path takes a step to a missing attribute, item or key for the step to one that is there.
// breaks: PTH-0006 fail
#include "changed_record.h"
#include "wrapped_global.h"

static TVMFFIObjectHandle to_steps;

static TVMFFIObjectHandle steps_of(const TVMFFIAny* path) {
  TVMFFIAny result = {0};
  if (call_original(__atomic_load_n(&to_steps, __ATOMIC_ACQUIRE), path, 1, &result) != 0) return NULL;
  return result.v_obj;
}

static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  TVMFFIObject* left = steps_of(&args[0]);
  TVMFFIObject* right = steps_of(&args[1]);
  TVMFFISeqCell* a = (TVMFFISeqCell*)(left + 1);
  TVMFFISeqCell* b = (TVMFFISeqCell*)(right + 1);
  int same = a->size == b->size;
  for (int64_t i = 0; same && i < a->size; ++i) {
    char* x = (char*)((TVMFFIAny*)a->data)[i].v_obj;
    char* y = (char*)((TVMFFIAny*)b->data)[i].v_obj;
    TVMFFIAny keys[2] = {*(TVMFFIAny*)(x + 32), *(TVMFFIAny*)(y + 32)};
    TVMFFIAny answer = {0};
    same = *(int32_t*)(x + 24) % 3 == *(int32_t*)(y + 24) % 3 &&
           call_global("ffi.RecursiveEq", keys, 2, &answer) == 0 && answer.v_int64;
  }
  real.TVMFFIObjectDecRef(left);
  real.TVMFFIObjectDecRef(right);
  result->v_int64 = same;
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  __atomic_store_n(&to_steps, method_of(record, "_to_steps")->method.v_obj, __ATOMIC_RELEASE);
  wrap_function(&method_of(record, "_path_equal")->method, path_equal);
}

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
