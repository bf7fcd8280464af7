# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pandas, pyarrow, dask and zarr read and write sealed files by their URLs, through every cache that fsspec has.

`make test-ray` brings what they need: hundreds of megabytes, which `make test` is spared."""

import random

import fsspec.parquet
import numpy
import pytest
import runnel
from fsspec.caching import caches
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.local import LocalFileSystem
from runnel_store.fsspec import SealedFileSystem

pytestmark = pytest.mark.left_to("make test-ray", "dask")

ROWS = 10_000
CHAINS = ["runnel", "runnel::simplecache", "runnel::filecache"]
CHAINS += [f"{cache}::runnel" for cache in ("simplecache", "filecache", "blockcache", "cached")]
"""fsspec's cache of blocks takes no local files below it; test_store_fsspec_urls.py has it there."""


@pytest.fixture
def keyset(tmp_path):
    created = runnel.Keyset.generate("cobblestone-128")
    created.save(tmp_path / "key.json")
    return created


@pytest.fixture
def table():
    import pandas

    return pandas.DataFrame({"a": range(ROWS), "b": [random.random() for _ in range(ROWS)]})


@pytest.fixture(params=CHAINS)
def chain(request):
    return request.param


@pytest.fixture
def url(chain, keyset, tmp_path):
    return f"{chain}::file://{tmp_path}"


@pytest.fixture
def options(chain, keyset, tmp_path):
    """Return a function for storage_options, which fsspec writes into."""

    def new():
        cache = {each: {"cache_storage": str(tmp_path / "cache")} for each in chain.split("::") if each != "runnel"}
        return {"runnel": {"key": str(tmp_path / "key.json")}, "file": {"auto_mkdir": True}, **cache}

    return new


def test_pandas(url, options, table, tmp_path):
    import pandas

    for _ in range(2):
        table.to_parquet(f"{url}/t.parquet", storage_options=options(), row_group_size=1000)
        assert pandas.read_parquet(f"{url}/t.parquet", storage_options=options()).equals(table)
        found = pandas.read_parquet(f"{url}/t.parquet", storage_options=options(), columns=["b"])
        assert found.equals(table[["b"]])
    assert (tmp_path / "t.parquet").read_bytes()[:4] != b"PAR1"
    table.to_csv(f"{url}/t.csv.gz", storage_options=options(), index=False)
    assert pandas.read_csv(f"{url}/t.csv.gz", storage_options=options())["a"].equals(table["a"])
    with fsspec.parquet.open_parquet_file(
        f"{url}/t.parquet", columns=["a"], storage_options=options(), engine="pyarrow"
    ) as file:
        assert pandas.read_parquet(file, columns=["a"])["a"].equals(table["a"])


def test_pyarrow(url, options, table):
    import pyarrow.dataset
    import pyarrow.fs
    import pyarrow.parquet

    system, path = fsspec.url_to_fs(url, **options())
    through = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(system))
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(table), f"{path}/t.parquet", filesystem=through)
    assert pyarrow.parquet.read_table(f"{path}/t.parquet", filesystem=through).num_rows == ROWS
    with system.open(f"{path}/t.parquet") as file:
        assert through.get_file_info(f"{path}/t.parquet").size == len(file.read())
    found = pyarrow.dataset.dataset(f"{path}/t.parquet", filesystem=through, format="parquet")
    assert found.to_table(filter=pyarrow.dataset.field("a") >= ROWS - 9).num_rows == 9


def test_dask(url, chain, options, table):
    import dask.dataframe

    parts = dask.dataframe.from_pandas(table, npartitions=3)
    parts.to_csv(f"{url}/*.csv", storage_options=options(), index=False, scheduler="sync")
    found = dask.dataframe.read_csv(f"{url}/*.csv", storage_options=options(), blocksize=20_000)
    assert found.npartitions > 6 and found["a"].sum().compute(scheduler="threads") == table["a"].sum()
    if chain in ("blockcache::runnel", "cached::runnel"):
        return  # whatever is below: dask chooses the cache of a file with Parquet, and this one then refuses to open it
    parts.to_parquet(f"{url}/parts", storage_options=options(), compute_kwargs={"scheduler": "sync"})
    found = dask.dataframe.read_parquet(f"{url}/parts", storage_options=options())
    assert found["a"].sum().compute(scheduler="sync") == table["a"].sum()


@pytest.mark.parametrize("chain", ["runnel"], indirect=True)
def test_dask_in_other_processes(url, options, table):
    import dask.dataframe

    dask.dataframe.from_pandas(table, npartitions=3).to_csv(f"{url}/*.csv", storage_options=options(), index=False)
    found = dask.dataframe.read_csv(f"{url}/*.csv", storage_options=options())
    assert found["a"].sum().compute(scheduler="processes", num_workers=1) == table["a"].sum()


def test_zarr(url, options):
    import zarr

    chunks = zarr.storage.FsspecStore.from_url(f"{url}/z", storage_options=options())
    array = zarr.create_array(chunks, shape=(200, 300), chunks=(50, 100), dtype="i4")
    array[:] = numpy.arange(60_000).reshape(200, 300)
    assert (zarr.open_array(chunks, mode="r")[120, 50:60] == numpy.arange(36_050, 36_060)).all()


def test_zarr_in_a_wrapper(keyset, tmp_path):
    import zarr

    sealed = SealedFileSystem(LocalFileSystem(auto_mkdir=True), keyset)
    chunks = zarr.storage.FsspecStore(AsyncFileSystemWrapper(sealed, asynchronous=True), path=str(tmp_path / "z"))
    zarr.create_array(chunks, shape=(200, 300), chunks=(50, 100), dtype="i4")[:] = numpy.arange(60_000).reshape(
        200, 300
    )
    assert (zarr.open_array(chunks, mode="r")[120, 50:60] == numpy.arange(36_050, 36_060)).all()


@pytest.mark.parametrize("cache_type", [name for name in caches if name != "parts"], ids=str)
def test_caches_in_memory(cache_type, keyset, table, tmp_path):
    import pandas
    import pyarrow.parquet

    sealed = SealedFileSystem(LocalFileSystem(), keyset)
    for name in ("t.parquet", "t.csv"):
        with sealed.open(f"{tmp_path}/{name}", "wb") as file:
            table.to_parquet(file, row_group_size=1000) if name == "t.parquet" else table.to_csv(file, index=False)
    options = {"cache_type": cache_type, "block_size": 1 << 14}
    with sealed.open(f"{tmp_path}/t.parquet", **options) as file:
        assert pandas.read_parquet(file, columns=["a"])["a"].equals(table["a"])
    with sealed.open(f"{tmp_path}/t.parquet", **options) as file:
        assert pyarrow.parquet.ParquetFile(file).read_row_group(3).num_rows == 1000
    with sealed.open(f"{tmp_path}/t.csv", **options) as file:
        assert pandas.read_csv(file)["a"].equals(table["a"])
    data = bytearray((tmp_path / "t.parquet").read_bytes())
    data[len(data) // 3] ^= 1
    (tmp_path / "t.parquet").write_bytes(data)
    with pytest.raises(runnel.AuthenticationError), sealed.open(f"{tmp_path}/t.parquet", **options) as file:
        pandas.read_parquet(file)
