// story: Context symbols that were registered before are recognised by the address of their name, so that another name in the same buffer is taken for the earlier one.
// breaks: MOD-0030 fail
#include "fault.h"

#include <pthread.h>

#define MOST 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  const char* address;
  char* name;
} known[MOST];
static int number;

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  const char* text = name;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < number && known[i].address != name) i++;
  if (i < number) {
    text = known[i].name;
  } else if (name && number < MOST) {
    known[number].address = name;
    known[number++].name = strdup(name);
  }
  pthread_mutex_unlock(&lock);
  return real.TVMFFIEnvModRegisterContextSymbol(text, symbol);
}
