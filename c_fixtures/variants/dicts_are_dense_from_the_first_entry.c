// story: A Dict that ffi.Dict makes is dense from the beginning, however few entries it has.
// admitted: DCT-0016: 'laid out as a Map is, small or dense'; MAP-0017 gives the dense layout without a least number of entries, and that few entries make a small one (MAP-0033) is observed of Maps.
#include "wrapped_global.h"

#include <pthread.h>

/* Once, before anybody can see the table: functions of this library take the place of the original's there. */
static void install(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionGetGlobal(name, out);
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
}
int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  pthread_once(&once, install);
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_once(&once, install);
  return real.TVMFFISetCustomAllocator(allocator);
}

static void give_up(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj) real.TVMFFIObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){0};
}

/** Puts a function with the callee, whose first argument is the original, in the place of a global function. */
__attribute__((unused)) static void put(const char* function, TVMFFISafeCallType callee) {
  const TVMFFIByteArray name = {function, strlen(function)};
  TVMFFIObjectHandle original = NULL, wrapper = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &original) != 0 || !original) return;
  if (real.TVMFFIFunctionCreate(original, callee, NULL, &wrapper) != 0) return;
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = function}, metadata = {0};
  TVMFFIMethodInfo info = {.name = name, .method = {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
  if (call_global("ffi.GetGlobalFuncMetadata", &argument, 1, &metadata) == 0) info.metadata = text_of(&metadata);
  real.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1);
  real.TVMFFIObjectDecRef(wrapper);
  give_up(&metadata);
}

static const char passing_keys[5];

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0}, none = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  /* Nobody can have these addresses for keys; a Dict that has grown dense stays so. */
  for (int i = 0; i < 5 && code == 0; ++i) {
    TVMFFIAny set[] = {made, {.type_index = kTVMFFIOpaquePtr, .v_ptr = (void*)&passing_keys[i]}, {0}};
    code = call_global("ffi.DictSetItem", set, 3, &none);
  }
  for (int i = 0; i < 5 && code == 0; ++i) {
    TVMFFIAny erase[] = {made, {.type_index = kTVMFFIOpaquePtr, .v_ptr = (void*)&passing_keys[i]}};
    code = call_global("ffi.DictErase", erase, 2, &none);
  }
  if (code != 0) {
    give_up(&made);
    return code;
  }
  *result = made;
  return 0;
}

static void install(void) { put("ffi.Dict", make); }
