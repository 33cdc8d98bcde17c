# Read by make before the makefile, through MAKEFILES: recipes are run by the wrapper of sh, which plans them whole. A makefile
# that sets SHELL itself keeps its own. The list of makefiles begins with the user's, as if this file had not been read.
SHELL := $(patsubst %/guard.mk,%/absolute/sh,$(lastword $(MAKEFILE_LIST)))
MAKEFILE_LIST :=
