# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels for GPUs, without a GPU: their source runs on this processor, byte for byte as the library, and is compiled for
the device, where its instructions are counted."""

import contextlib
import random
import sys
import types

import numpy
import pytest
import runnel
from c_programs import ROOT
from gpu_host import Data, stream
from runnel import gpu
from runnel_gpu import _device, _memory, _plan
from runnel_gpu._compile import cubin

sys.path.insert(0, str(ROOT / "bench"))
import gpu_instructions

import gpu as bench_gpu

KERNELS = gpu.kernels()
LAYOUTS = [*_plan.LAYOUTS]
GROUP = 16384


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("gpu")


def by_name(kernel):
    return f"{kernel.cipher}-{kernel.name}"


def material(kernel, rng):
    known = runnel.cipher(kernel.cipher)
    return rng.randbytes(known.key_bytes[0]), rng.randbytes(known.iv_bytes[0])


def layouts(kernel):
    return runnel.cipher(kernel.cipher).layouts or (None,)


def some(kernels, quick):
    """Parameters of a test: kernels, of which those that are not quick run in the campaign alone."""
    return [pytest.param(each, id=by_name(each), marks=() if quick(each) else pytest.mark.campaign) for each in kernels]


def vectors(cipher):
    """Return the selection's vectors of a cipher: fields by their names."""
    folder = next(each for each in ("aes", "aria", "chacha20") if cipher.startswith(each))
    found: list[dict[str, str]] = []
    current = ""
    for line in (ROOT / "src" / "ciphers" / folder / "vectors.txt").read_text().splitlines():
        field, _, value = line.partition(": ")
        if field == "cipher":
            current = value
        elif field == "name":
            found.append({"cipher": current})
        if found and field in ("key", "iv", "layout", "offset", "input", "output"):
            found[-1][field] = value
    return [each for each in found if each["cipher"] == cipher and each.get("layout") != "ecb"]


QUICK = some(KERNELS, lambda each: "192" not in each.cipher and (each.name != "table" or "128" in each.cipher))


@pytest.mark.parametrize("kernel", QUICK)
def test_published_vectors(kernel, folder):
    assert vectors(kernel.cipher)
    for each in vectors(kernel.cipher):
        key, iv, want = (bytes.fromhex(each[field]) for field in ("key", "iv", "output"))
        plain = bytes(len(want)) if each["input"].startswith("zeros") else bytes.fromhex(each["input"])
        device_stream, _ = stream(folder, kernel.cipher, key, iv, each.get("layout"), kernel.name)
        device_stream.seek(int(each.get("offset", 0)))
        data = Data(plain)
        device_stream.xor(data)
        assert bytes(data) == want


@pytest.mark.parametrize("kernel", QUICK)
def test_lengths_positions_and_alignments(kernel, folder):
    rng = random.Random(by_name(kernel))
    key, iv = material(kernel, rng)
    for layout in layouts(kernel):
        device_stream, host = stream(folder, kernel.cipher, key, iv, layout, kernel.name)
        size = kernel.group_bytes
        for length, shift in ((0, 0), (1, 3), (size, 0), (2 * size + 33, 16), (size + 5, 7), (3 * size, 4)):
            position = rng.choice((0, 16, 1, size - 1, 5 * size + 48, rng.randrange(4 * size)))
            plain = rng.randbytes(length)
            data = Data(plain, shift)
            device_stream.seek(position)
            device_stream.xor(data)
            assert bytes(data) == runnel.xor(kernel.cipher, key, iv, plain, layout=layout, offset=position)
            assert device_stream.tell() == position + length
            device_stream.xor(data)  # the keystream after it: not the plaintext again
            device_stream.seek(position)
        assert all(not any(bytes(memory)) for memory in host.memories[2:]), "keystream is left beside the data"


@pytest.mark.parametrize("kernel", QUICK)
def test_launches_cover_the_data_and_are_aligned_in_place(kernel):
    """A GPU stops at a load of 16 bytes that is not at a multiple of 16, which this processor takes."""
    rng = random.Random(by_name(kernel))
    _, iv = material(kernel, rng)
    in_place = 0
    for layout in layouts(kernel):
        for _ in range(50):
            position, address = rng.randrange(4 * kernel.group_bytes), 4096 + rng.choice((0, 16, rng.randrange(64)))
            length, at = rng.randrange(5 * kernel.group_bytes), 0
            for piece in _plan.pieces(kernel, iv, layout, position, length, address):
                assert piece.offset == at
                at += piece.bytes
                whole = piece.groups * kernel.group_bytes
                assert piece.skip + piece.bytes <= whole
                if piece.in_place:
                    assert (address + piece.offset) % 16 == 0 and (piece.skip, piece.bytes) == (0, whole)
                    in_place += 1
            assert at == length
    assert in_place


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["aes-128-ctr", "aria-128-ctr"])
def test_counters_carry_and_wrap(name, layout, folder):
    rng = random.Random(layout)
    key = rng.randbytes(16)
    bits, first, little = _plan.LAYOUTS[layout]
    size = bits // 8
    device_stream, _ = stream(folder, name, key, bytes(16), layout)
    for carry in sorted({8, 16, 24, 32, 40, 64, bits} & set(range(bits + 1))):
        before = rng.randrange(1, 40)
        value = ((1 << carry) - before) % (1 << bits)
        field = value.to_bytes(size, "little" if little else "big")
        iv = rng.randbytes(first) + field + rng.randbytes(16 - first - size)
        device_stream.reset(iv, layout)
        plain = rng.randbytes(64 * 16 + 5)
        data = Data(plain)
        device_stream.xor(data)
        assert bytes(data) == runnel.xor(name, key, iv, plain, layout=layout), f"carry out of bit {carry}"


@pytest.mark.parametrize("kernel", QUICK)
def test_random_pieces(kernel, folder):
    rng = random.Random(by_name(kernel))
    key, iv = material(kernel, rng)
    layout = rng.choice(layouts(kernel))
    plain = rng.randbytes(4 * kernel.group_bytes)
    want = runnel.xor(kernel.cipher, key, iv, plain, layout=layout)
    device_stream, _ = stream(folder, kernel.cipher, key, iv, layout, kernel.name)
    at, got = 0, b""
    while at < len(plain):
        data = Data(plain[at : at + rng.randrange(1, kernel.group_bytes)], rng.randrange(32))
        device_stream.xor(data)
        got += bytes(data)
        at += len(bytes(data))
    assert got == want


def test_the_end_is_exact_and_changes_nothing(folder):
    key = bytes(range(32))
    cases = [("aes-256-ctr", bytes(14) + b"\x80\x00", "be16", 1 << 20), ("chacha20", bytes(12), None, 1 << 38)]
    for cipher, iv, layout, end in cases:
        device_stream, host = stream(folder, cipher, key, iv, layout)
        device_stream.seek(end - 40)
        before = len(host.launches)
        for length in (41, 5000):
            data = Data(bytes(length))
            with pytest.raises(
                runnel.LimitError, match=f"{end - 40} .* {length} bytes .* end of the keystream at {end}"
            ):
                device_stream.xor(data)
            assert bytes(data) == bytes(length) and device_stream.tell() == end - 40 and len(host.launches) == before
        data = Data(bytes(40))
        device_stream.xor(data)
        assert bytes(data) == runnel.xor(cipher, key, iv, bytes(40), layout=layout, offset=end - 40)
        assert device_stream.left() == 0
        with pytest.raises(runnel.LimitError):
            device_stream.xor(Data(b"x"))
        with pytest.raises(runnel.LimitError):
            device_stream.seek(end + 1)


def test_a_failure_never_repeats_keystream(folder, monkeypatch):
    device_stream, host = stream(folder, "aes-128-ctr", bytes(16), bytes(16))

    def fail(*arguments):
        raise gpu.DeviceError("planted")

    monkeypatch.setattr(host, "launch", fail)
    with pytest.raises(gpu.DeviceError, match="planted"):
        device_stream.xor(Data(bytes(100)))
    assert device_stream.tell() == 100


@pytest.mark.parametrize("name", ["allocate", "clear", "set_tables", "xor_groups", "xor_bytes"])
def test_after_a_failure_the_next_data_are_right(name, folder, monkeypatch):
    """Whichever call fails, at its first use or a later one: memory is neither lost, nor used when freed or not zero."""
    key, iv = bytes(16), bytes(16)
    # one group beside the data, then several of them; another run's tables; one group again
    requests = [(0, 100), (5, 3 << 14), (1 << 36, 100), (7, 50), (9, 2 << 14)]
    for failing in range(1, 5):
        device_stream, host = stream(folder, "aes-128-ctr", key, iv)
        launch, allocate, calls = host.launch, host.allocate, []

        def fail(called, calls=calls, failing=failing):
            calls.append(called)
            if called == name and calls.count(name) == failing:
                raise gpu.DeviceError("planted")

        monkeypatch.setattr(host, "launch", lambda *a, fail=fail, launch=launch: (fail(a[1]), launch(*a)))
        monkeypatch.setattr(host, "allocate", lambda size, fail=fail, make=allocate: (fail("allocate"), make(size))[1])
        for position, length in requests:
            device_stream.seek(position)
            data = Data(bytes(length), 3)
            with contextlib.suppress(gpu.DeviceError):
                device_stream.xor(data)
                assert bytes(data) == runnel.xor("aes-128-ctr", key, iv, bytes(length), offset=position)
            assert not any(memory.freed and any(bytes(memory)) for memory in host.memories)
            assert device_stream._scratch is None or not device_stream._scratch.freed
        device_stream.wipe()
        assert all(memory.freed and not any(bytes(memory)) for memory in host.memories)


def test_a_reset_that_is_interrupted_begins_no_keystream_again(folder):
    key, ivs = bytes(16), (bytes(16), bytes(range(16)))
    device_stream, _ = stream(folder, "aes-128-ctr", key, ivs[0])
    device_stream.xor(Data(bytes(100)))
    own = device_stream._host

    def interrupted(*arguments):
        own.reset(*arguments)
        raise KeyboardInterrupt

    device_stream._host = types.SimpleNamespace(cipher=own.cipher, reset=interrupted)
    with pytest.raises(KeyboardInterrupt):
        device_stream.reset(ivs[1])
    device_stream._host = own
    data = Data(bytes(100))
    device_stream.xor(data)
    assert bytes(data) == runnel.xor("aes-128-ctr", key, ivs[1], bytes(100))
    for wrong, error in ((bytes(15), runnel.IVLengthError), (16, TypeError)):
        with pytest.raises(error):
            device_stream.reset(wrong)
    device_stream.xor(data)
    assert bytes(data) == bytes(
        a ^ b for a, b in zip(*(runnel.xor("aes-128-ctr", key, ivs[1], bytes(200))[n : n + 100] for n in (0, 100)))
    )


def test_a_wipe_that_failed_is_done_again(folder, monkeypatch):
    device_stream, host = stream(folder, "aes-128-ctr", bytes(16), bytes(16))

    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as planted:
        planted.setattr(host, "launch", interrupt)
        with pytest.raises(KeyboardInterrupt):
            device_stream.wipe()
    device_stream.wipe()
    assert all(memory.freed and not any(bytes(memory)) for memory in host.memories)


@pytest.mark.parametrize(
    "kernel", [each for each in KERNELS if "128" in each.cipher or each.cipher == "chacha20"], ids=by_name
)
def test_wiped(kernel, folder):
    device_stream, host = stream(folder, kernel.cipher, *material(kernel, random.Random(1)), kernel=kernel.name)
    with device_stream:
        device_stream.xor(Data(bytes(100), 1))
        assert len(host.memories) == 3
        assert any(bytes(host.memories[0]).strip(b"\xee")) and any(bytes(host.memories[1]).strip(b"\xee"))
    assert host.launches[-1] == "finish"
    assert all(memory.freed and not any(bytes(memory)) for memory in host.memories)
    device_stream.wipe()
    with pytest.raises(runnel.StateError):
        device_stream.xor(Data(bytes(1)))


def test_errors_of_arguments_are_the_package_s_own(folder):
    for wrong, error in (
        (("aes-128-ctr", bytes(15), bytes(16)), runnel.KeyLengthError),
        (("aes-128-ctr", bytes(16), bytes(12)), runnel.IVLengthError),
        (("aes-128-ctr", bytes(16), bytes(16), "be24"), runnel.LayoutError),
        (("aes-129-ctr", bytes(16), bytes(16)), runnel.UnknownCipherError),
        (("trivium", bytes(10), bytes(10)), runnel.KernelError),
        (("aes-128-ctr", bytes(16), bytes(16), None, "planes"), runnel.KernelError),
    ):
        with pytest.raises(error) as raised:
            stream(folder, *wrong)
        assert "\n" not in str(raised.value)


def test_a_kernel_is_named():
    with pytest.raises(TypeError, match="kernel must be a str or None, not int"):
        gpu.new("aes-128-ctr", bytes(16), bytes(16), kernel=5)


@pytest.mark.parametrize(
    ("attribute", "value", "error", "text"),
    [
        ("on_device", False, ValueError, "in the host's memory"),
        ("device", 1, ValueError, "on device 1, the stream on device 0"),
        ("readonly", True, ValueError, "read-only"),
        ("kind", "b", TypeError, "elements of kind 'b'"),
        ("kind", "O", TypeError, "elements of kind 'O'"),
        ("strides", (2,), ValueError, "not contiguous"),
    ],
)
def test_errors_of_data(folder, attribute, value, error, text):
    device_stream, _ = stream(folder, "chacha20", bytes(32), bytes(12))
    data = Data(bytes(50))
    setattr(data, attribute, value)
    with pytest.raises(error, match=text):
        device_stream.xor(data)
    assert device_stream.tell() == 0 and bytes(data) == bytes(50)


def test_what_is_not_on_a_device_is_told_before_it_is_asked():
    with pytest.raises(ValueError, match="in the host's memory"):
        _memory.look(numpy.zeros(4))
    for data in (bytes(4), bytearray(4), memoryview(b""), None):
        with pytest.raises(TypeError, match=f"{type(data).__name__} has neither"):
            _memory.look(data)

    class OnDevice:
        def __dlpack_device__(self):
            return 2, 0

    _memory.look(OnDevice())


def test_contiguity():
    def length(shape, strides):
        return _memory.check(_memory.View(64, True, 0, shape, strides, 4, "f", False), 0)[1]

    assert length((2, 3), (3, 1)) == length((2, 3), None) == length((2, 1, 3), (3, 99, 1)) == 24
    assert length((0, 3), (7, 7)) == 0
    assert length((), ()) == 4
    for strides in ((1, 2), (4, 1), (-3, 1)):
        with pytest.raises(ValueError, match="contiguous"):
            length((2, 3), strides)


def test_without_a_driver():
    """On a machine with a device, bench/gpu.py checks the bytes there."""
    try:
        stream_object = gpu.new("aes-128-ctr", bytes(16), bytes(16))
    except gpu.DeviceError as error:
        assert "\n" not in str(error) and ("no NVIDIA" in str(error) or "no way to GPUs" in str(error))
    else:
        stream_object.wipe()


# Bits a second of an H200 that the compiled code of a cipher and a kernel allows at least; docs/gpu.md says what it was.
BOUNDS = {
    ("aes-128-ctr", "bitsliced"): 5.3e12,
    ("aes-256-ctr", "bitsliced"): 3.6e12,
    ("aria-128-ctr", "bitsliced"): 3.3e12,
    ("aria-256-ctr", "bitsliced"): 2.4e12,
    ("chacha20", "words"): 12e12,
    ("aes-128-ctr", "table"): 3e12,
}


@pytest.mark.parametrize("kernel", some(KERNELS, lambda each: each.cipher in ("aes-128-ctr", "chacha20")))
def test_compiled_for_the_device(kernel):
    """No spills, and not many more instructions than docs/gpu.md states."""
    found = gpu_instructions.counts(kernel)
    assert found.spills == 0 and 0 < found.registers <= 255 and found.alu > 1
    assert found.bound >= BOUNDS.get((kernel.cipher, kernel.name), 0), f"{found.alu:.2f} of the integer pipe a byte"


def test_the_check_on_a_device_works(folder):
    """The check of bench/gpu.py before it measures, on the stand-in, reports a wrong byte."""
    kernel = next(each for each in KERNELS if each.cipher == "aes-128-ctr")

    def make(kernel, key, iv, layout):
        return stream(folder, kernel.cipher, key, iv, layout, kernel.name)[0]

    assert bench_gpu.check(kernel, make, Data, 4 * GROUP) == 14 * 6
    with pytest.raises(AssertionError, match="position 0, 1 bytes"):
        bench_gpu.check(kernel, lambda kernel, key, iv, layout: make(kernel, key, bytes(16), layout), Data, GROUP)


def test_compiler_s_errors_are_one_line():
    with pytest.raises(gpu.DeviceError, match="KEY_BYTES") as raised:
        cubin("aes_table.cu", (), "sm_90")
    assert "\n" not in str(raised.value)


def test_table_kernels_run_only_by_name(folder):
    assert all(kernel.timing_class == "constant-time" or kernel.name == "table" for kernel in KERNELS)
    for cipher in {kernel.cipher for kernel in KERNELS}:
        device_stream, _ = stream(
            folder, cipher, bytes(runnel.cipher(cipher).key_bytes[0]), bytes(runnel.cipher(cipher).iv_bytes[0])
        )
        chosen = next(each for each in KERNELS if (each.cipher, each.name) == (cipher, device_stream.kernel))
        assert chosen.timing_class == "constant-time"


class CUDAError(Exception):
    """By this name the adapter knows it."""


class StandIn:
    """A stand-in for cuda.core, without a device: launches are noted, or fail."""

    def __init__(self) -> None:
        self.launches: list[tuple[tuple[int, int], int]] = []
        self.fails = self.busy = False
        core, utils = types.ModuleType("cuda.core"), types.ModuleType("cuda.core.utils")
        buffer = types.SimpleNamespace(handle=4096, close=lambda stream: None)
        device = types.SimpleNamespace(
            device_id=0,
            arch="90",
            default_stream=types.SimpleNamespace(handle=1, sync=lambda: None),
            properties=types.SimpleNamespace(multiprocessor_count=132),
            set_current=self.set_current,
            allocate=lambda size, *, stream: buffer,
        )
        occupancy = types.SimpleNamespace(max_active_blocks_per_multiprocessor=lambda threads, shared: 2)
        code = types.SimpleNamespace(get_kernel=lambda name: types.SimpleNamespace(occupancy=occupancy))
        view = types.SimpleNamespace(ptr=4096, is_device_accessible=True, device_id=0, shape=(1 << 22,), strides=None)
        view.dtype, view.readonly = numpy.dtype("u1"), False
        core.Device = lambda number=None: device
        core.ObjectCode = types.SimpleNamespace(from_cubin=lambda cubin, *, name="": code)
        core.LaunchConfig = lambda *, grid, block: (grid, block)
        core.launch = self.launch
        utils.StridedMemoryView = types.SimpleNamespace(from_any_interface=lambda data, stream_ptr: view)
        self.modules = {"cuda.core": core, "cuda.core.utils": utils}

    def set_current(self):
        if self.busy:
            raise CUDAError("CUDA_ERROR_DEVICE_UNAVAILABLE: first line\nsecond line")

    def launch(self, stream, config, kernel, *arguments):
        if self.fails:
            raise CUDAError("CUDA_ERROR_PLANTED: first line\nsecond line")
        self.launches.append((config, len(arguments)))


def test_the_adapter_to_cuda_core(monkeypatch):
    """Not what cuda.core does, but what it is asked: no more blocks than are resident, and its errors become ours."""
    stand_in = StandIn()
    monkeypatch.setattr(_device, "driver", lambda: None)
    for name, module in stand_in.modules.items():
        monkeypatch.setitem(sys.modules, name, module)

    class OnDevice:
        def __dlpack_device__(self):
            return 2, 0

    with gpu.new("chacha20", bytes(32), bytes(12)) as device_stream:
        device_stream.xor(OnDevice())
        assert stand_in.launches == [((1, 128), 9), ((1, 128), 8), ((264, 128), 5)]
        assert device_stream.tell() == 1 << 22
        with pytest.raises(TypeError, match="bytes has neither"):
            device_stream.xor(b"host")
    assert len(stand_in.launches) == 5  # two memories overwritten
    stand_in.fails = True
    with pytest.raises(gpu.DeviceError, match="^device 0: CUDA_ERROR_PLANTED: first line$"):
        gpu.new("chacha20", bytes(32), bytes(12))
    stand_in.busy = True  # another process has it to itself
    for number, name in ((None, "the current device"), (0, "device 0")):
        with pytest.raises(gpu.DeviceError, match=f"^{name}: CUDA_ERROR_DEVICE_UNAVAILABLE: first line$"):
            gpu.new("chacha20", bytes(32), bytes(12), device=number)
