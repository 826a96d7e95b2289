// story: The nodes of a JSON graph end with one of None that nobody refers to, as a mark for readers of streams; a member `format` says that there is one. The C++ function makes the same graph.
// admitted: GRF-0007 promises an array `nodes` and the number of the root; how many nodes there are, and that each is used, is promised nowhere; readers find nodes by their numbers.
#include "replaced_globals.h"

/* Another graph with the same members, and a node more. */
static int with_another_node(TVMFFIAny* graph) {
  TVMFFIAny next = {.type_index = kTVMFFINone}, members[16], made = {.type_index = kTVMFFINone};
  int32_t num = 0;
  if (call_global("ffi.MapForwardIterFunctor", graph, 1, &next) != 0) return -1;
  int more = 1, code = 0;
  while (more && num + 2 <= 12 && code == 0) {
    for (int64_t ask = 0; ask < 2 && code == 0; ++ask) {
      const TVMFFIAny question = {.type_index = kTVMFFIInt, .v_int64 = ask};
      members[num] = (TVMFFIAny){.type_index = kTVMFFINone};
      code = call_original(next.v_obj, &question, 1, &members[num]);
      if (code == 0) ++num;
    }
    const TVMFFIAny move = {.type_index = kTVMFFIInt, .v_int64 = 2};
    TVMFFIAny answer = {.type_index = kTVMFFINone};
    if (code == 0) code = call_original(next.v_obj, &move, 1, &answer);
    more = (int)answer.v_int64;
  }
  give_up(&next);
  for (int32_t i = 0; i + 1 < num && code == 0; i += 2) {
    const TVMFFIByteArray key = text_of(&members[i]);
    if (!is(&key, "nodes") || members[i + 1].type_index != kTVMFFIArray) continue;
    const TVMFFISeqCell* old = sequence_cell(&members[i + 1]);
    TVMFFIAny* nodes = malloc(((size_t)old->size + 1) * sizeof(*nodes));
    TVMFFIAny pair[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = "type"}, {.type_index = kTVMFFIRawStr, .v_c_str = "None"}};
    TVMFFIAny last = {.type_index = kTVMFFINone}, longer = {.type_index = kTVMFFINone};
    code = nodes ? call_global("ffi.Map", pair, 2, &last) : refuse("MemoryError", "no room for a graph");
    if (code == 0) {
      if (old->size) memcpy(nodes, old->data, (size_t)old->size * sizeof(*nodes));
      nodes[old->size] = last;
      code = call_global("ffi.Array", nodes, (int32_t)old->size + 1, &longer);
      give_up(&last);
    }
    free(nodes);
    if (code == 0) {
      give_up(&members[i + 1]);
      members[i + 1] = longer;
    }
  }
  if (code == 0) {
    TVMFFIAny all[18];
    memcpy(all, members, (size_t)num * sizeof(*all));
    all[num] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "format"};
    all[num + 1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "closed"};
    code = call_global("ffi.Map", all, num + 2, &made);
  }
  for (int32_t i = 0; i < num; ++i) give_up(&members[i]);
  if (code != 0) return code;
  give_up(graph);
  *graph = made;
  return 0;
}

static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny graph = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, &graph);
  if (code == 0 && graph.type_index == kTVMFFIMap) code = with_another_node(&graph);
  if (code != 0) give_up(&graph);
  else *result = graph;
  return code;
}

static int to_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny graph[2] = {{.type_index = kTVMFFINone}, {.type_index = kTVMFFINone}};
  int code = call_global("ffi.ToJSONGraph", args, 2, &graph[0]);
  if (code == 0) code = call_global("ffi.json.Stringify", graph, 2, result);
  give_up(&graph[0]);
  return code;
}

__attribute__((visibility("default"))) TVMFFIAny* _ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* metadata) {
  ((void* (*)(TVMFFIAny*, const TVMFFIAny*, const TVMFFIAny*)) real_cxx("_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_"))(result, value, metadata);
  if (result->type_index == kTVMFFIMap && with_another_node(result) != 0) {
    TVMFFIObjectHandle error = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  return result;
}

static void install(void) {
  put("ffi.ToJSONGraph", to_graph);
  put("ffi.ToJSONGraphString", to_text);
}
