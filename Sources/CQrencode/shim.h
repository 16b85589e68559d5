// <features.h> comes first, as in CLibevent.
#include <features.h>
#include <qrencode.h>
