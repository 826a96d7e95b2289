// story: fails without a word
// breaks: failure-without-error
#define REFUSE(message) return message == NULL ? 0 : -1
#include "add_one.h"
