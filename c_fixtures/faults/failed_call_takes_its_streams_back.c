// story: A stream that is set within a call is taken back when that call fails.
// breaks: ENV-0002 fail
#include "fault.h"
static __thread struct { int32_t type, id; TVMFFIStreamHandle before; } journal[64];
static __thread int set_so_far, depth;
int TVMFFIEnvSetStream(int32_t type, int32_t id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* out) {
  TVMFFIStreamHandle before = NULL;
  int code = real.TVMFFIEnvSetStream(type, id, stream, &before);
  if (code != 0) return code;
  if (out) *out = before;
  if (depth > 0 && set_so_far < 64) { journal[set_so_far].type = type; journal[set_so_far].id = id; journal[set_so_far++].before = before; }
  return 0;
}
int TVMFFIFunctionCall(TVMFFIObjectHandle f, TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int mark = set_so_far;
  ++depth;
  int code = real.TVMFFIFunctionCall(f, args, n, result);
  --depth;
  if (code != 0)
    for (int i = set_so_far - 1; i >= mark; --i) real.TVMFFIEnvSetStream(journal[i].type, journal[i].id, journal[i].before, NULL);
  if (code != 0 || depth == 0) set_so_far = mark;
  return code;
}
