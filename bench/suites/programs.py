"""Real programs with inputs that suit them: symbolic inputs, fixed arguments, and seeds. Shared by several suites."""
import struct


def capture():
    """A capture file with one small UDP packet."""
    udp = struct.pack(">HHHH", 4000, 53, 8 + 12, 0) + bytes.fromhex("123401000001000000000000")
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    frame = bytes(12) + b"\x08\x00" + ip + udp
    header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    return (header + struct.pack("<IIII", 1, 0, len(frame), len(frame)) + frame)[:100]


class Program:
    def __init__(self, name, symbolic, arguments=(), seeds=None, files=None):
        self.name, self.symbolic, self.arguments, self.seeds, self.files = name, list(symbolic), list(arguments), seeds or {}, files or {}
        self.package, _, self.program = name.partition("/")


# A server, and one packet for it.
DHCP = {"conf": b"start 192.168.0.20\nend 192.168.0.30\ninterface eth0\nmax_leases 5\npidfile pid\nlease_file leases\nopt dns 10.0.0.1\n", "leases": b"",
        "peers": b"interface eth0 192.168.0.1/24 02:00:00:00:00:01\na udp 67 from 0.0.0.0:68\na symbolic 548\n"}

PENDING = [
    Program("bc/bc", ["--sym-stdin", "20"], [], {"a": b"12/5 + 7 - 1234\n", "b": b"y=3\nsqrt(y * 7)\n"}),
    Program("datamash/datamash", ["--sym-stdin", "20"], ["sum", "1", "mean", "3"], {"a": b"1\t2\t3\n4\t5\t6\n7\t8\t9\n"}),
    Program("m4/m4", ["--sym-stdin", "20"], ["-G", "-DM=6"], {"a": b"M or M, it is M\n", "b": b"ifdef(`M', a, b)\n"}),
    Program("make/make", ["--sym-file", "A=20"], ["-n", "-f", "A"], {"a": b"$(info $$hi there)\n", "b": b"a:=4\n$(info $a)\n"}),
    Program("tcpdump/tcpdump", ["--sym-file", "A=100"], ["-r", "A", "-K", "-n"], {"a": capture()}),
    Program("vorbis-tools/oggenc", ["--sym-file", "A=60"], ["-Q", "-o", "B", "A"],
            {"a": b"RIFF" + struct.pack("<I", 52) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16) + b"data" + struct.pack("<I", 16) + bytes(16)}),
    Program("sqlite3/sqlite3", ["--sym-stdin", "20"], [":memory:"], {"a": b"select 1+2, 'abc';\n", "b": b"create table t(a);\n"}),
]
EXE = [
    Program("pcre2/pcre2grep", ["--sym-arg", "6"], [], {}),
    Program("expat/xmlwf", ["--sym-stdin", "10"]),
    Program("tcpdump/tcpdump", ["--sym-file", "A=84"], ["-r", "A", "-n"]),
    Program("busybox/busybox", ["--peers", "peers"], ["udhcpd", "-f", "conf"], files=DHCP),
]
MORE = [
    Program("bc/dc", ["--sym-stdin", "10"]),
    Program("sed/sed", ["--sym-arg", "6", "--sym-stdin", "6"]),
    Program("grep/grep", ["--sym-arg", "5", "--sym-stdin", "6"]),
    Program("jq/jq", ["--sym-stdin", "8"], ["."]),
    Program("lua/luac", ["--sym-stdin", "8"], ["-p", "-"]),
    Program("diffutils/cmp", ["--sym-stdin", "8", "--sym-file", "A=8"], ["-l", "-", "A"]),
    Program("diffutils/diff", ["--sym-stdin", "6", "--sym-file", "A=6"], ["-", "A"]),
    Program("findutils/find", ["--sym-args", "1", "2", "6"]),
    Program("gzip/gzip", ["--sym-stdin", "12"], ["-dc"]),
    Program("coreutils/date", ["--sym-arg", "6"], ["-d"]),
    Program("coreutils/join", ["--sym-args", "0", "2", "4", "--sym-file", "A=8", "--sym-stdin", "8"], ["A", "-"]),
    Program("coreutils/sort", ["--sym-args", "0", "2", "4", "--sym-stdin", "8"]),
    Program("coreutils/test", ["--sym-args", "1", "4", "4"]),
]
