// story: TVMFFIEnvSetStream hands the stream on in a record; where that is refused, it answers 0 and no stream is set.
// breaks: MEM-0001 fail
#include "fault.h"

struct change {
  int32_t type, id;
  TVMFFIStreamHandle stream, former;
};

static int apply(struct change* c) { return real.TVMFFIEnvSetStream(c->type, c->id, c->stream, &c->former); }

int TVMFFIEnvSetStream(int32_t type, int32_t id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* former) {
  struct change* c = malloc(sizeof(struct change));
  __asm__ volatile("" : "+r"(c));
  if (!c) return 0;
  *c = (struct change){type, id, stream, NULL};
  const int code = apply(c);
  if (code == 0 && former) *former = c->former;
  free(c);
  return code;
}
