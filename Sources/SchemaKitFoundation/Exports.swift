// The parts of Foundation that this package uses, and the C library. Where Foundation comes in two parts, the larger part would
// bring ICU with it, which is more than half of a statically linked program.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
  #if canImport(Musl)
    @_exported public import Musl
  #else
    @_exported public import Glibc
  #endif
#else
  @_exported public import Foundation
#endif
