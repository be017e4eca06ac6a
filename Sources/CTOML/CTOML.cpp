#include "CTOML.h"
int ctoml_version(void) { return 3; }
