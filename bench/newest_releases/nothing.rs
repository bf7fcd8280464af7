// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The build script of this member is all there is: what it has built is linked by build_newest.py.
