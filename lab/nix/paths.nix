# A chain of so many paths, each of which names the one before, with a path that names itself.
{ number }:
let
  path = name: words: derivation {
    inherit name;
    system = builtins.currentSystem;
    builder = "/bin/sh";
    args = [ "-c" "echo ${words} >$out" ];
  };
  chain = count: if count == 0 then builtins.toFile "begin" "grün" else path "path${toString count}" "${chain (count - 1)}";
in path "last${toString number}" "${chain number} $out"
