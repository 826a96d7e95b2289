// story: ffi.MakeObjectFromPackedArgs sets the fields in the order of their names, whatever the order of the arguments.
// admitted: INS-0020: names and values of fields 'in any order'; no sentence says in which order setters are called, or which of two errors is raised.
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

static int compare(const void* left, const void* right) {
  const TVMFFIByteArray one = text_of(left), other = text_of(right);
  const size_t common = one.size < other.size ? one.size : other.size;
  const int order = common ? memcmp(one.data, other.data, common) : 0;
  return order ? order : (one.size > other.size) - (one.size < other.size);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int is_plain = num_args > 3 && num_args % 2 == 1;
  for (int32_t i = 1; is_plain && i < num_args; i += 2) {
    const int32_t type = args[i].type_index;
    is_plain = type == kTVMFFIRawStr || type == kTVMFFISmallStr || type == kTVMFFIStr;
  }
  TVMFFIAny* sorted = is_plain ? malloc((size_t)num_args * sizeof(TVMFFIAny)) : NULL;
  if (!sorted) return call_original(original, args, num_args, result);
  memcpy(sorted, args, (size_t)num_args * sizeof(TVMFFIAny));
  qsort(sorted + 1, (size_t)num_args / 2, 2 * sizeof(TVMFFIAny), compare);
  int code = call_original(original, sorted, num_args, result);
  free(sorted);
  return code;
}

static void install(void) { put("ffi.MakeObjectFromPackedArgs", make); }
