#include "work.h"

int work_team;
