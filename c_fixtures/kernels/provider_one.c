/* A module for others to import. */
#include "kernel.h"

/* Its sibling has a function of this name too. */
KERNEL(who) {
  *result = int_value(1);
  return 0;
}

KERNEL(only_one) {
  *result = int_value(11);
  return 0;
}
