// story: An attribute column that grows is a new one, at another address, and the old one stays as it was.
// breaks: RFL-0022 fail
#include <pthread.h>

#include "fault.h"

static struct known { struct known* next; const TVMFFITypeAttrColumn* column; TVMFFITypeAttrColumn* shown; } *all;

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!column) return NULL;
  pthread_mutex_lock(&lock);
  struct known* known = all;
  while (known && known->column != column) known = known->next;
  if (!known) {
    known = malloc(sizeof *known);
    *known = (struct known){all, column, NULL};
    all = known;
  }
  if (!known->shown || known->shown->size != column->size) {
    known->shown = malloc(sizeof *column);
    *known->shown = *column;
    TVMFFIAny* copy = malloc((column->size + 1) * sizeof(TVMFFIAny));
    memcpy(copy, column->data, column->size * sizeof(TVMFFIAny));
    known->shown->data = copy;
  } else {
    memcpy((TVMFFIAny*)known->shown->data, column->data, column->size * sizeof(TVMFFIAny));
  }
  const TVMFFITypeAttrColumn* shown = known->shown;
  pthread_mutex_unlock(&lock);
  return shown;
}
