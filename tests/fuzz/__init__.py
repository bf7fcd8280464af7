# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fuzz targets, their corpora, and what runs them."""
