// story: The status of a function's callback reaches the caller of TVMFFIFunctionCall as it is, but whoever calls the cell's safe_call gets -1 for any failure.
// breaks: FUN-0017 fail
#include "fault.h"

struct box {
  void* self;
  TVMFFISafeCallType call;
  void (*deleter)(void*);
};
static __thread void* through_api;

static int forward(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct box* box = handle;
  int api = through_api != NULL;
  through_api = NULL;
  int code = box->call(box->self, args, num_args, result);
  return code == 0 || api ? code : -1;
}

static void end(void* self) {
  struct box box = *(struct box*)self;
  free(self);
  if (box.deleter) box.deleter(box.self);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  if ((!self && !deleter) || !safe_call || !out) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  struct box* box = malloc(sizeof(*box));
  *box = (struct box){self, safe_call, deleter};
  int code = real.TVMFFIFunctionCreate(box, forward, end, out);
  if (code != 0) free(box);
  return code;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  through_api = func;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  through_api = NULL;
  return code;
}
