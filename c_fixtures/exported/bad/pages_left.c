// story: maps a page with each call and never gives it back
// breaks: leak
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#define AFTER mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
#include "add_one.h"
