# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted objects in object stores: the same files as on disk, in parts, by many threads or machines at once.

urls         what a URL names                               needs        libraries that are imported when needed
readers      objects and files that are read in ranges      errors       what a store's errors mean
opened       a sealed object: its keys, ranges of plaintext parts        segments sealed and opened in memory
plan         an object cut into parts                       work         one part, by whichever process
executors    parts on threads, or on Ray                    uploads      multipart uploads, and what stands for them
resume       what a killed command had done                 objects      one object: encrypt, decrypt, verify, rotate
many         all objects below a prefix                     manifest     what became of each, for people and programs
fingerprints which key it was, told to other processes      notes        what of a prefix is done
catalog      which objects a prefix has, sealed             catalogued   a run that checks or writes a catalog
generations  which catalogs were seen here                  waiting      requests that a signal ends
"""
