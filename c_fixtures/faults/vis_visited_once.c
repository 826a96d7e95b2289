// story: ffi.StructuralWalk calls its callbacks once for each object, also when it occurs several times in the value.
// breaks: VIS-0032 fail
#include "wrapped_global.h"
struct state { TVMFFIObject* seen[4096]; int count; };
struct callback { TVMFFIObject* function; struct state* state; };
static int visit(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct callback* callback = self;
  struct state* state = callback->state;
  if (num_args > 0 && args[0].type_index >= kTVMFFIStaticObjectBegin) {
    for (int i = 0; i < state->count; ++i) {
      if (state->seen[i] != args[0].v_obj) continue;
      *result = (TVMFFIAny){.type_index = kTVMFFIInt};
      result->v_int64 = 1;
      return 0;
    }
    if (state->count < 4096) state->seen[state->count++] = args[0].v_obj;
  }
  return call_original(callback->function, args, num_args, result);
}
static void end(void* self) { real.TVMFFIObjectDecRef(((struct callback*)self)->function); free(self); }
static int wrap(const TVMFFIAny* list, struct state* state, TVMFFIAny* out) {
  int64_t size = sequence_cell(list)->size;
  TVMFFIAny pairs[64] = {{0}};
  for (int64_t i = 0; i < size; ++i) {
    const TVMFFIAny* pair = (TVMFFIAny*)sequence_cell(list)->data + i;
    if (pair->type_index != kTVMFFIArray || sequence_cell(pair)->size != 2) goto fail;
    TVMFFIAny both[2] = {((TVMFFIAny*)sequence_cell(pair)->data)[0], ((TVMFFIAny*)sequence_cell(pair)->data)[1]};
    if (both[1].type_index != kTVMFFIFunction) goto fail;
    struct callback* callback = malloc(sizeof *callback);
    *callback = (struct callback){both[1].v_obj, state};
    real.TVMFFIObjectIncRef(both[1].v_obj);
    TVMFFIObjectHandle made = NULL;
    real.TVMFFIFunctionCreate(callback, visit, end, &made);
    both[1].v_obj = made;
    pairs[i] = (TVMFFIAny){0};
    call_global("ffi.Array", both, 2, &pairs[i]);
    real.TVMFFIObjectDecRef(made);
    continue;
  fail:
    while (i-- > 0) real.TVMFFIObjectDecRef(pairs[i].v_obj);
    return -1;
  }
  call_global("ffi.Array", pairs, (int32_t)size, out);
  for (int64_t i = 0; i < size; ++i) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  return 0;
}
static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[1].type_index != kTVMFFIArray || args[2].type_index != kTVMFFIArray || sequence_cell(&args[1])->size > 64 || sequence_cell(&args[2])->size > 64) return call_original(original, args, num_args, result);
  struct state* state = calloc(1, sizeof *state);
  TVMFFIAny changed[4] = {args[0], {0}, {0}, args[3]};
  int code;
  if (wrap(&args[1], state, &changed[1]) != 0) {
    code = call_original(original, args, num_args, result);
  } else {
    code = wrap(&args[2], state, &changed[2]) != 0 ? call_original(original, args, num_args, result) : call_original(original, changed, 4, result);
    real.TVMFFIObjectDecRef(changed[1].v_obj);
    if (changed[2].type_index) real.TVMFFIObjectDecRef(changed[2].v_obj);
  }
  free(state);
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
