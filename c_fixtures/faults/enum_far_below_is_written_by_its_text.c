// story: The JSON graph asks whether the parent of an enumeration is ffi.IntEnum, and not whether it is among the ancestors, so one further below is written by its string.
// breaks: ENU-0001 fail
#include "wrapped_global.h"

/** Whether a value is an instance of a type below ffi.IntEnum that is no child of it. */
static int is_far_below(const TVMFFIAny* value) {
  static const TVMFFIByteArray key = {"ffi.IntEnum", 11};
  int32_t int_enum = -1;
  if (value->type_index < kTVMFFIDynObjectBegin || real.TVMFFITypeKeyToIndex(&key, &int_enum) != 0) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  for (int32_t i = 0; info && i < info->type_depth - 1; ++i) {
    if (info->type_ancestors[i]->type_index == int_enum) return 1;
  }
  return 0;
}

static TVMFFIAny raw(const char* text) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text}; }

static void let_go(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){0};
}

/** The graph of one enumeration, with its string. */
static int write_graph(const TVMFFIAny* value, const TVMFFIAny* metadata, TVMFFIAny* graph) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  TVMFFIAny key = {0}, node = {0}, nodes = {0};
  /* _str_index lies at 32. */
  const TVMFFIAny* text = (const TVMFFIAny*)((const char*)value->v_obj + 32);
  int code = real.TVMFFIStringFromByteArray(&info->type_key, &key);
  if (code == 0) code = call_global("ffi.Map", (TVMFFIAny[]){raw("type"), key, raw("data"), *text}, 4, &node);
  if (code == 0) code = call_global("ffi.Array", &node, 1, &nodes);
  if (code == 0) {
    TVMFFIAny parts[] = {raw("root_index"), {.type_index = kTVMFFIInt}, raw("nodes"), nodes, raw("metadata"), *metadata};
    code = call_global("ffi.Map", parts, metadata->type_index == kTVMFFINone ? 4 : 6, graph);
  }
  let_go(&key);
  let_go(&node);
  let_go(&nodes);
  return code;
}

/** Stands for ffi.ToJSONGraph and for ffi.ToJSONGraphString. */
static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || !is_far_below(&args[0])) return code;
  int is_text = result->type_index != kTVMFFIMap;
  TVMFFIAny graph = {0};
  let_go(result);
  code = write_graph(&args[0], &args[1], &graph);
  if (code != 0 || !is_text) {
    *result = graph;
    return code;
  }
  code = call_global("ffi.json.Stringify", (TVMFFIAny[]){graph, {0}}, 2, result);
  let_go(&graph);
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
