# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Read by SCons: a program of the project and its libraries, by the system's compiler."""

from SCons.Script import Default, DefaultEnvironment

env = DefaultEnvironment()
env.Replace(PROGNAME="program", PROGSUFFIX="")
Default(env.BuildProgram())
