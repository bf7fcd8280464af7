# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted objects in object stores: the same files as on disk, in parts, by many threads or machines at once.

Top down; a module knows those below it:

    cli          the command `runnel store`             fsspec      a file system for pandas, pyarrow and zarr
    many         all objects below a prefix, and the result for each
    objects      one object: encrypt, decrypt, verify, rotate, a range; an upload that is resumed
    catalog      which objects a prefix has, sealed beside them
    executors    options; parts on threads, or on Ray
    journal      what is remembered on this machine: unfinished work, generations of catalogs
    parts        an object in parts, one part encrypted or decrypted, the plaintext of a sealed object
    uploads      multipart uploads, of S3 and Azure, and what stands for them
    readers      objects and files that are read in ranges, and listed
    stores       the libraries that reach stores, and what their errors mean
    urls         what a URL names
"""
