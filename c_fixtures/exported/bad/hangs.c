// story: waits for a tensor to get elements
// breaks: hangs
#define AFTER while (COUNT == 0) __asm__ volatile("")
#include "add_one.h"
