# Answers with the syntax tree of each source it is given, as one JSON table per source, and never
# executes any of it. Request: "<mode> <length>\n" and the bytes; answer: "<length>\n" and the JSON.
# A node is a row [type, line, column, end_line, end_column, field, ...]: lines are 1-based, columns are
# UTF-8 bytes, a child is the index of its row. Contexts and operators are given by name.
import ast
import json
import re
import sys

MAX_NODES = 1000000
MAX_DEPTH = 1500
MAX_MEMORY = 3 << 30
MAX_UNPACKED = 8 << 20
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
BLANK = re.compile(rb"^[ \t\f]*(?:[#\r\n]|$)")
BY_NAME = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def constant(value):
    if value is None or value is True or value is False:
        return ["k", value]
    if value is Ellipsis:
        return ["..."]
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return ["surrogate", value.encode("utf-8", "surrogatepass").hex()]
        return ["s", value]
    if isinstance(value, bytes):
        return ["b", value.hex()]
    if isinstance(value, int):
        return ["i", value] if -(2**63) <= value < 2**63 else ["big", hex(value)]
    if isinstance(value, float):
        return ["f", repr(value)]
    return ["other", type(value).__name__]


def table(tree):
    kinds, names = {}, []
    queue, depths, rows = [tree], [0], []
    for node in queue:  # grows on the way
        depth = depths[len(rows)] + 1
        if depth > MAX_DEPTH:
            raise RecursionError("the source nests deeper than %d levels" % MAX_DEPTH)
        if len(queue) > MAX_NODES:
            raise RecursionError("the source has more than %d syntax nodes" % MAX_NODES)
        kind = type(node)
        known = kinds.get(kind)
        if known is None:
            known = kinds[kind] = (len(names), kind._fields, kind.__name__ == "MatchSingleton")
            names.append([kind.__name__] + list(kind._fields))
        number, fields, singleton = known
        held = vars(node)
        where = held.get
        row = [number, where("lineno", 0), where("col_offset", 0), where("end_lineno", 0), where("end_col_offset", 0)]
        rows.append(row)
        if kind is ast.Constant:
            row.append(constant(node.value))
            row.append(None)
            continue
        for field in fields:
            value = held.get(field)
            if value is None or type(value) is str:
                row.append(constant(value) if singleton else value)
            elif type(value) is list:
                items = []
                for item in value:
                    if isinstance(item, BY_NAME):
                        items.append(type(item).__name__)
                    elif isinstance(item, ast.AST):
                        items.append(len(queue))
                        queue.append(item)
                        depths.append(depth)
                    else:
                        items.append(item)
                row.append(items)
            elif isinstance(value, BY_NAME):
                row.append(type(value).__name__)
            elif isinstance(value, ast.AST):
                row.append(len(queue))
                queue.append(value)
                depths.append(depth)
            else:
                row.append(constant(value) if singleton else value)
    return {"types": names, "nodes": rows}


def cookie(source):
    lines = source[3:].split(b"\n", 2) if source.startswith(b"\xef\xbb\xbf") else source.split(b"\n", 2)
    for line in lines[:2]:
        found = COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii", "replace")
        if not BLANK.match(line):
            return None
    return None


def comments(source):
    # [line, first byte, byte behind] of each comment token that speaks to the program; only comment tokens count.
    import io
    import tokenize

    found = []
    try:
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type == tokenize.COMMENT and "kernel-audit" in token.string.lower():
                begin = len(token.line[: token.start[1]].encode("utf-8"))
                found.append([token.start[0], begin, begin + len(token.string.encode("utf-8"))])
    except Exception:
        pass  # the compiler reports what is wrong; what was found before it stands
    return found


def unpacked(packing, source):
    # The constant that a candidate would unpack, in base64, "" when it does not unpack. Nothing of it is run.
    import base64
    import binascii
    import bz2
    import codecs
    import lzma
    import zlib

    def inflated(data):
        try:
            return zlib.decompressobj(47).decompress(data, MAX_UNPACKED)
        except zlib.error:
            return zlib.decompressobj(-15).decompress(data, MAX_UNPACKED)

    unpackers = {
        "zlib": inflated,
        "gzip": inflated,
        "bz2": lambda data: bz2.BZ2Decompressor().decompress(data, MAX_UNPACKED),
        "lzma": lambda data: lzma.LZMADecompressor().decompress(data, MAX_UNPACKED),
        "base64": base64.b64decode,
        "urlsafe": base64.urlsafe_b64decode,
        "base32": base64.b32decode,
        "base85": base64.b85decode,
        "ascii85": base64.a85decode,
        "hex": lambda data: binascii.unhexlify(b"".join(data.split())),
        "rot13": lambda data: codecs.encode(data.decode("utf-8"), "rot13").encode("utf-8"),
    }
    try:
        return {"unpacked": base64.b64encode(unpackers[packing](source)).decode("ascii")}
    except Exception:
        return {"unpacked": ""}


def answer(mode, source):
    if mode.startswith("unpack:"):
        return unpacked(mode[7:], source)
    reply = {}
    encoding = cookie(source)
    if encoding is not None and encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "ascii", "us-ascii"):
        reply["encoding"] = encoding
        try:
            decoded = source.decode(encoding)
            if decoded.encode("utf-8") != source:
                reply["decoded"] = decoded
        except Exception:
            pass  # the compiler reports it
    if mode == "exec" and b"kernel-audit" in source.lower():
        reply["comments"] = comments(source)
    try:
        tree = compile(source, "<candidate>", mode, ast.PyCF_ONLY_AST, dont_inherit=True)
        reply.update(table(tree))
    except SyntaxError as error:
        reply["error"] = {
            "kind": "syntax-error",
            "message": str(error.msg),
            "line": error.lineno or 0,
            "column": error.offset or 0,
        }
    except (RecursionError, MemoryError) as error:
        reply["error"] = {"kind": "limit", "message": str(error) or type(error).__name__, "line": 0, "column": 0}
    except Exception as error:
        reply["error"] = {"kind": "syntax-error", "message": str(error), "line": 0, "column": 0}
    return reply


def main():
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except Exception:
        pass  # not every platform has it; the parent limits this process as well
    requests, answers = sys.stdin.buffer, sys.stdout.buffer

    def send(reply):
        try:
            body = json.dumps(reply, separators=(",", ":")).encode("ascii")
        except MemoryError:
            body = b'{"error":{"kind":"limit","message":"out of memory","line":0,"column":0}}'
        answers.write(b"%d\n" % len(body))
        answers.write(body)
        answers.flush()

    send({"version": "%d.%d.%d" % sys.version_info[:3], "implementation": sys.implementation.name})
    while True:
        header = requests.readline(64)
        if not header:
            return
        mode, length = header.split()
        source = requests.read(int(length))
        send(answer(mode.decode("ascii"), source))


main()
