#pragma once

#include <features.h>
#include <sodium.h>
