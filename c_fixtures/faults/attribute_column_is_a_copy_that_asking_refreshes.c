// story: TVMFFIGetTypeAttrColumn answers a copy of a column, always at the same address, that is brought up to date when somebody asks again; who holds the address sees nothing of what is registered later.
// breaks: RFL-0022 fail
#include "fault.h"
#include <pthread.h>

typedef struct Copy {
  TVMFFITypeAttrColumn column;
  const TVMFFITypeAttrColumn* of;
  struct Copy* next;
} Copy;

static Copy* copies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Copy* copy_of(const TVMFFITypeAttrColumn* column) {
  Copy* copy = copies;
  while (copy && copy->of != column) copy = copy->next;
  if (copy) return copy;
  copy = calloc(1, sizeof *copy);
  copy->of = column;
  copy->next = copies;
  return copies = copy;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (!column) return NULL;
  pthread_mutex_lock(&lock);
  Copy* copy = copy_of(column);
  size_t size = column->size * sizeof(TVMFFIAny);
  if (copy->column.size != column->size || (size && memcmp(copy->column.data, column->data, size) != 0)) {
    /* The former entries may be in use. */
    TVMFFIAny* data = malloc(size + 1);
    memcpy(data, column->data, size);
    copy->column = (TVMFFITypeAttrColumn){data, column->size, column->begin_index};
  }
  pthread_mutex_unlock(&lock);
  return &copy->column;
}
