// story: ffi.StructuralMap with one callback remembers what that has answered for an object, and does not call it for the next occurrence of the same object.
// breaks: VIS-0049 fail
#include "walk_callbacks.h"

/* A client's callback, and the object that it was asked for last with what it has answered. */
struct memo {
  TVMFFIObjectHandle callback;
  TVMFFIAny object, answer;
};

static void keep(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(value->v_obj);
}

static void give_up(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct memo* memo = self;
  const int is_object = num_args > 0 && args[0].type_index >= kTVMFFIStaticObjectBegin;
  if (is_object && args[0].v_obj == memo->object.v_obj) {
    keep(&memo->answer);
    *result = memo->answer;
    return 0;
  }
  int code = call_original(memo->callback, args, num_args, result);
  if (code != 0 || !is_object) return code;
  const struct memo former = *memo;
  keep(&args[0]);
  keep(result);
  memo->object = args[0];
  memo->answer = *result;
  give_up(&former.object);
  give_up(&former.answer);
  return 0;
}

static void end(void* self) {
  struct memo* memo = self;
  give_up(&memo->object);
  give_up(&memo->answer);
  free(memo);
}

/* The client holds its callback during the walk. */
static void remember(TVMFFIAny* pair) {
  struct memo* memo = calloc(1, sizeof(struct memo));
  TVMFFIObjectHandle wrapper = NULL;
  memo->callback = pair[1].v_obj;
  if (real.TVMFFIFunctionCreate(memo, call_back, end, &wrapper) == 0) pair[1].v_obj = wrapper;
}

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_one = num_args == 4 && args[0].type_index != kTVMFFIObjectRValueRef && args[1].type_index == kTVMFFIArray &&
                     sequence_cell(&args[1])->size == 1;
  if (!is_one) return call_original(original, args, num_args, result);
  return walk_with(remember, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
