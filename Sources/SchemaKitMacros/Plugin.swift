// Without the trait Macros this target is still built where the package is the root: as a program that does nothing.

#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [ModelMacro.self, FragmentMacro.self, AttributeMacro.self]
  }
#else
  @main
  struct Plugin {
    static func main() {}
  }
#endif
