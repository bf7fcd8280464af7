# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Faults in the code, and the tests that have to see them.

syntax      functions of a file in C or Python, and patterns over their syntax
operators   small faults that a function can have: they are generated
incidents   faults of other libraries (incidents.toml), planted in ours
areas       what is broken by generated faults, and which tests have to see it
built       one file of a program or of the package, compiled anew
reached     which tests call which functions of the package
trial       one fault tried
score       a sample of faults tried, and how many were seen"""
