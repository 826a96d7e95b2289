// story: Functions are numbered with 16 bits: the 65536th has the self of the first that lives.
// breaks: FUN-0023 fail
#include "fault.h"

static struct { void* self; TVMFFISafeCallType call; void (*deleter)(void*); } slots[65536];
static uint32_t next;

static int call(void* number, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  uintptr_t at = (uint16_t)(uintptr_t)number;
  return slots[at].call(slots[at].self, args, num_args, result);
}

static void end(void* number) {
  uintptr_t at = (uint16_t)(uintptr_t)number;
  if (slots[at].deleter) slots[at].deleter(slots[at].self);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (!self || !deleter) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  uintptr_t number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) & 0xffff;
  slots[number].self = self;
  slots[number].call = safe_call;
  slots[number].deleter = deleter;
  return real.TVMFFIFunctionCreate((void*)(number | 0x10000), call, end, out);
}
