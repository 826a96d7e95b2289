// story: The function that walks through a Map or a Dict goes on to answer false when it is asked to move again after the end, and None for a key or a value there; it raises nothing.
// admitted: MAP-0014: 'Nothing is said of further calls after false, nor of other numbers'; DCT-0015 refers to it.
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

struct walk {
  TVMFFIObjectHandle original;
  int is_over;
};

static void end_walk(void* self) {
  real.TVMFFIObjectDecRef(((struct walk*)self)->original);
  free(self);
}

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct walk* walk = self;
  const int is_step = num_args == 1 && args[0].type_index == kTVMFFIInt && args[0].v_int64 >= 0 && args[0].v_int64 <= 2;
  const int is_move = is_step && args[0].v_int64 == 2;
  if (is_step && __atomic_load_n(&walk->is_over, __ATOMIC_ACQUIRE)) {
    *result = (TVMFFIAny){.type_index = is_move ? kTVMFFIBool : kTVMFFINone};
    return 0;
  }
  if (!is_move) return call_original(walk->original, args, num_args, result);
  int code = call_original(walk->original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIBool && !result->v_int64) __atomic_store_n(&walk->is_over, 1, __ATOMIC_RELEASE);
  return code;
}

static int begin(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  TVMFFIObjectHandle wrapper = NULL;
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  struct walk* walk = malloc(sizeof(*walk));
  if (!walk) {
    give_up(&made);
    return refuse("MemoryError", "no memory for a walk");
  }
  *walk = (struct walk){made.v_obj, 0};
  code = real.TVMFFIFunctionCreate(walk, step, end_walk, &wrapper);
  if (code != 0) {
    end_walk(walk);
    return code;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = wrapper};
  return 0;
}

static void install(void) {
  put("ffi.MapForwardIterFunctor", begin);
  put("ffi.DictForwardIterFunctor", begin);
}
