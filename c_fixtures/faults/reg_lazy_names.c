// story: The functions that compare recursively are registered when the first of them is looked up; until then they are not among the names.
// breaks: GLB-0020 fail
#include "wrapped_global.h"

static int looked_up;
struct names { TVMFFIObjectHandle all; int64_t size; int32_t* places; };

static void end(void* self) {
  struct names* names = self;
  real.TVMFFIObjectDecRef(names->all);
  free(names->places);
  free(names);
}

static int name_at(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct names* names = self;
  TVMFFIAny place = num_args == 1 ? args[0] : (TVMFFIAny){0};
  if (place.type_index != kTVMFFIInt) return call_original(names->all, args, num_args, result);
  if (place.v_int64 < 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = names->size};
    return 0;
  }
  place.v_int64 = place.v_int64 < names->size ? names->places[place.v_int64] : INT32_MAX;
  return call_original(names->all, &place, 1, result);
}

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny all = {0}, place = {.type_index = kTVMFFIInt, .v_int64 = -1}, size = {0}, name;
  if (__atomic_load_n(&looked_up, __ATOMIC_ACQUIRE)) return call_original(original, args, num_args, result);
  int code = call_original(original, args, num_args, &all);
  if (code != 0) return code;
  call_original(all.v_obj, &place, 1, &size);
  struct names* names = calloc(1, sizeof(*names));
  names->all = all.v_obj;
  names->places = calloc((size_t)size.v_int64 + 1, sizeof(int32_t));
  for (place.v_int64 = 0; place.v_int64 < size.v_int64; ++place.v_int64) {
    name = (TVMFFIAny){0};
    call_original(all.v_obj, &place, 1, &name);
    const TVMFFIByteArray text = text_of(&name);
    if (text.size < 13 || memcmp(text.data, "ffi.Recursive", 13) != 0) names->places[names->size++] = (int32_t)place.v_int64;
    if (name.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(name.v_obj);
  }
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(names, name_at, end, &made);
  if (code == 0) *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = made};
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrapper;
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (name->size > 13 && memcmp(name->data, "ffi.Recursive", 13) == 0) __atomic_store_n(&looked_up, 1, __ATOMIC_RELEASE);
  return is(name, "ffi.FunctionListGlobalNamesFunctor") ? wrap_found(&wrapper, list, out) : 0;
}
