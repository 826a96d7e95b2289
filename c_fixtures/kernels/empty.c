/* A module without any function. */
extern int nothing_is_exported;
