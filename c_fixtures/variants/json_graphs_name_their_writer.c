// story: The graph that ffi.ToJSONGraph and ffi.ToJSONGraphString write has one entry more, 'writer', which reading ignores.
// admitted: GRF-0007: 'an object with an array nodes and the integer root_index'; GRF-0011 knows metadata besides; nobody says that there is nothing else.
#include "raised_error.h"
#include "replaced_globals.h"

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
