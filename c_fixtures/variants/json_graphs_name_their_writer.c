// story: The graph that ffi.ToJSONGraph and ffi.ToJSONGraphString write has one entry more, 'writer', which reading ignores.
// admitted: GRF-0007: 'an object with an array nodes and the integer root_index'; GRF-0011 knows metadata besides; nobody says that there is nothing else.
#include "raised_error.h"
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

/** A Map with the entries of another and one more. */
static int with_writer(const TVMFFIAny* graph, TVMFFIAny* result) {
  TVMFFIAny size = {0}, walk = {0}, answer = {0}, graph_view = *graph;
  int code = call_global("ffi.MapSize", &graph_view, 1, &size);
  if (code != 0) return code;
  const int32_t count = 2 * (int32_t)size.v_int64;
  TVMFFIAny* entries = calloc((size_t)count + 2, sizeof(TVMFFIAny));
  if (!entries) return refuse("MemoryError", "no memory for a graph");
  if (count) code = call_global("ffi.MapForwardIterFunctor", &graph_view, 1, &walk);
  for (int32_t i = 0; code == 0 && i < count; ++i) {
    TVMFFIAny which = {.type_index = kTVMFFIInt, .v_int64 = i % 2}, move = {.type_index = kTVMFFIInt, .v_int64 = 2};
    code = real.TVMFFIFunctionCall(walk.v_obj, &which, 1, &entries[i]);
    if (code == 0 && i % 2 && i + 1 < count) code = real.TVMFFIFunctionCall(walk.v_obj, &move, 1, &answer);
  }
  entries[count] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "writer"};
  entries[count + 1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "a fork, 1.0"};
  if (code == 0) code = call_global("ffi.Map", entries, count + 2, result);
  for (int32_t i = 0; i < count; ++i) give_up(&entries[i]);
  free(entries);
  give_up(&walk);
  return code;
}

static int write_value(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny graph = {0};
  int code = call_original(original, args, num_args, &graph);
  if (code != 0) return code;
  code = with_writer(&graph, result);
  give_up(&graph);
  return code;
}

static int write_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {0};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  static const char end[] = ",\"writer\":\"a fork, 1.0\"}";
  const TVMFFIByteArray bytes = text_of(&text);
  char* whole = malloc(bytes.size + sizeof(end));
  if (!whole) {
    give_up(&text);
    return refuse("MemoryError", "no memory for a text");
  }
  memcpy(whole, bytes.data, bytes.size);
  memcpy(whole + bytes.size - 1, end, sizeof(end));
  const TVMFFIByteArray other = {whole, bytes.size - 1 + sizeof(end) - 1};
  code = real.TVMFFIStringFromByteArray(&other, result);
  free(whole);
  give_up(&text);
  return code;
}

static void install(void) {
  put("ffi.ToJSONGraph", write_value);
  put("ffi.ToJSONGraphString", write_text);
}

__attribute__((visibility("default"))) void* _ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_(TVMFFIAny* out, const TVMFFIAny* value, const TVMFFIAny* metadata) {
  typedef void* (*write_function)(TVMFFIAny* out, const TVMFFIAny* value, const TVMFFIAny* metadata);
  ((write_function)real_cxx("_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_"))(out, value, metadata);
  TVMFFIAny other = {0};
  pthread_once(&once, install);
  if (out->type_index == kTVMFFIMap) {
    if (with_writer(out, &other) == 0) {
      give_up(out);
      *out = other;
    } else {
      forget_raised();
    }
  }
  return out;
}
