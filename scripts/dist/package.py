"""Packs a built schemactl into what a release consists of. Usage: package.py TREE VERSION OUT

TREE has bin/ and share/. OUT gets a tarball, a wheel, a Debian package, an OCI image and SHA256SUMS, in place of older
ones. All of them carry the licences. Entries are sorted, belong to root and have the time of SOURCE_DATE_EPOCH, so that
the same tree gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

MACHINE, ARCHITECTURE = "x86_64", "amd64"  # as Linux and Python call it, and as Debian and OCI do
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
AGENTS = "share/schemactl/AGENTS.md"
OWN_LICENCE, OTHER_LICENCES = "share/doc/schemactl/LICENSE", "share/doc/schemactl/THIRD-PARTY.txt"
SUMMARY = "Schema migrations for SQLite: plan, prove, apply, check and undo"
DESCRIPTION = Path(__file__).with_name("description.txt").read_text(encoding="utf-8")


def read_tree(tree):
    """The files of the release by path, with the project's own licence."""
    files = {path.relative_to(tree).as_posix(): path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    for path in ("bin/schemactl", AGENTS, OTHER_LICENCES):
        if not files.get(path):
            sys.exit(f"package: {path} is missing or empty in {tree}; run make dist, which makes it")
    return files | {OWN_LICENCE: (Path(__file__).parents[2] / "LICENSE").read_bytes()}


def mode(path):
    return 0o755 if Path(path).parent.name in ("bin", "scripts") else 0o644


def compressed(content):
    return gzip.compress(content, 9, mtime=0)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def tar(files, folders=()):
    """An archive of files by path, the folders above them, and further folders by path with their modes."""
    folders = {str(parent): 0o755 for path in files for parent in Path(path).parents if parent.name} | dict(folders)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted({*files, *folders}):
            entry = tarfile.TarInfo(path)
            entry.mtime, entry.size = EPOCH, len(files.get(path, b""))
            entry.mode = folders.get(path, mode(path))
            entry.type = tarfile.DIRTYPE if path in folders else tarfile.REGTYPE
            archive.addfile(entry, io.BytesIO(files.get(path, b"")))
    return buffer.getvalue()


def wheel(files, version, platforms):
    """What pip unpacks: the program into bin/, manual pages and completions into share/, licences with the metadata."""
    data, info = f"schemactl-{version}.data", f"schemactl-{version}.dist-info"
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms)
    shared = [path for path in sorted(files) if path.startswith("share/") and not path.startswith("share/doc/")]
    entries = {
        f"{data}/scripts/schemactl": files["bin/schemactl"],
        **{f"{data}/data/{path}": files[path] for path in shared},
        f"{info}/licenses/LICENSE": files[OWN_LICENCE],
        f"{info}/licenses/THIRD-PARTY.txt": files[OTHER_LICENCES],
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: schemactl\nRoot-Is-Purelib: false\n{tags}".encode(),
        f"{info}/METADATA": (
            f"Metadata-Version: 2.4\nName: schemactl\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: MIT\n"
            "License-File: LICENSE\nLicense-File: THIRD-PARTY.txt\nDescription-Content-Type: text/plain\n\n" + DESCRIPTION
        ).encode(),
    }
    record = f"{info}/RECORD,,\n"
    for path, content in entries.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += f"{path},sha256={digest},{len(content)}\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in {**entries, f"{info}/RECORD": record.encode()}.items():
            entry = zipfile.ZipInfo(path, time.gmtime(max(EPOCH, 315_532_800))[:6])  # zips begin with 1980
            entry.external_attr = (0o100000 | mode(path)) << 16  # a regular file
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def debian(files, version):
    """A package with all below /usr, manual pages compressed and licences in one file, as Debian's policy has it."""
    staged = {"usr/share/doc/schemactl/copyright": files[OWN_LICENCE] + b"\n\n" + files[OTHER_LICENCES]}
    for path in files.keys() - {OWN_LICENCE, OTHER_LICENCES}:
        is_page = path.startswith("share/man/")
        staged[f"usr/{path}.gz" if is_page else f"usr/{path}"] = compressed(files[path]) if is_page else files[path]
    size = sum(map(len, staged.values())) // 1024 + 1
    staged["DEBIAN/control"] = (
        f"Package: schemactl\nVersion: {version}\nArchitecture: {ARCHITECTURE}\nInstalled-Size: {size}\n"
        f"Maintainer: SchemaKit contributors\nSection: database\nPriority: optional\nDescription: {SUMMARY}\n"
        + "".join(f" {line}\n" for line in DESCRIPTION.splitlines())
    ).encode()
    with tempfile.TemporaryDirectory() as scratch:
        for path in staged:
            place = Path(scratch, "tree", path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(staged[path])
            place.chmod(mode(path))
        # It takes the times from the environment. With more threads, the bytes would depend on their number.
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH), "DPKG_DEB_THREADS_MAX": "1"}
        command = ["dpkg-deb", "-Zxz", "-z9", "--root-owner-group", "--build", "tree", "package.deb"]
        subprocess.run(command, cwd=scratch, env=environment, stdout=subprocess.DEVNULL, check=True)
        return Path(scratch, "package.deb").read_bytes()


def image(files, version):
    """An OCI layout with the program and its page for agents, which Podman and registries read, and what `docker load` reads."""
    kept = {f"usr/{path}": files[path] for path in ("bin/schemactl", AGENTS, OWN_LICENCE, OTHER_LICENCES)}
    layer = tar(kept, {"tmp": 0o1777, "data": 0o755})
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
    title, kind = "org.opencontainers.image", "application/vnd.oci.image"
    labels = {f"{title}.title": "schemactl", f"{title}.version": version, f"{title}.licenses": "MIT"}
    names = {f"{title}.ref.name": version, "io.containerd.image.name": f"docker.io/library/schemactl:{version}"}
    entries = {}

    def blob(part, content):
        entries[f"blobs/sha256/{sha256(content)}"] = content
        return {"mediaType": f"{kind}.{part}", "digest": f"sha256:{sha256(content)}", "size": len(content)}

    layers = [blob("layer.v1.tar+gzip", compressed(layer))]
    config = blob("config.v1+json", json.dumps({
        "created": created, "os": "linux", "architecture": ARCHITECTURE,
        "config": {"Entrypoint": ["/usr/bin/schemactl"], "WorkingDir": "/data", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(layer)}"]}, "history": [{"created": created}],
    }).encode())
    manifest = blob("manifest.v1+json", json.dumps({
        "schemaVersion": 2, "mediaType": f"{kind}.manifest.v1+json", "config": config, "layers": layers}).encode())
    places = [f"blobs/{part['digest'].replace(':', '/')}" for part in (config, *layers)]
    documents = {
        "oci-layout": {"imageLayoutVersion": "1.0.0"},
        "index.json": {"schemaVersion": 2, "manifests": [manifest | {"annotations": names}]},
        "manifest.json": [{"Config": places[0], "RepoTags": [f"schemactl:{version}"], "Layers": places[1:]}],
    }
    return tar(entries | {path: json.dumps(content).encode() for path, content in documents.items()})


def main(tree, version, out):
    os.umask(0o022)  # for the folders of the Debian package
    files = read_tree(tree)
    top = f"schemactl-{version}-linux-{MACHINE}"
    platforms = [f"manylinux_2_17_{MACHINE}", f"musllinux_1_1_{MACHINE}"]
    artefacts = {
        f"{top}.tar.gz": compressed(tar({f"{top}/{path}": content for path, content in files.items()})),
        f"schemactl-{version}-py3-none-{'.'.join(platforms)}.whl": wheel(files, version, platforms),
        f"schemactl_{version}_{ARCHITECTURE}.deb": debian(files, version),
        f"schemactl-{version}-oci.tar": image(files, version),
    }
    sums = "".join(f"{sha256(artefacts[name])}  {name}\n" for name in sorted(artefacts))
    out.mkdir(parents=True, exist_ok=True)
    for older in out.glob("schemactl[-_]*"):
        older.unlink()
    for name, content in {**artefacts, "SHA256SUMS": sums.encode()}.items():
        (out / name).write_bytes(content)


main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
