/* A module for others to import. */
#include "kernel.h"

/* Its sibling has a function of this name too. */
KERNEL(who) {
  *result = int_value(2);
  return 0;
}

KERNEL(only_two) {
  *result = int_value(12);
  return 0;
}
