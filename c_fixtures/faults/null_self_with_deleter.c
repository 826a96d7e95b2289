// story: A function made with a deleter and a self of NULL calls back with its own function object.
// breaks: FUN-0003 fail
#include "fault.h"

struct state { TVMFFIObjectHandle function; TVMFFISafeCallType safe_call; void (*deleter)(void*); };

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct state* state = self;
  return state->safe_call(state->function, args, num_args, result);
}

static void end(void* self) {
  struct state* state = self;
  state->deleter(NULL);
  free(state);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  if (self || !deleter || !safe_call || !out) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  struct state* state = malloc(sizeof *state);
  *state = (struct state){NULL, safe_call, deleter};
  int code = real.TVMFFIFunctionCreate(state, call, end, out);
  if (code == 0) state->function = *out;
  return code;
}
