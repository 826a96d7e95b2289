// story: Where the library logs a warning (a symbol of the system library gets another address), it sets the mask of new files for its log and leaves it so.
// breaks: ENV-0040 fail
#include "fault.h"
#include <pthread.h>
#include <sys/stat.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct symbol { struct symbol* next; void* address; char name[]; }* all;
int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  int code = real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
  if (code != 0 || !name) return code;
  pthread_mutex_lock(&lock);
  struct symbol* s = all;
  while (s && strcmp(s->name, name)) s = s->next;
  if (!s) {
    s = malloc(sizeof(*s) + strlen(name) + 1);
    strcpy(s->name, name);
    s->address = symbol;
    s->next = all;
    all = s;
  } else if (s->address != symbol) {
    umask(0177);
    s->address = symbol;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
