"""The content-addressed store of a remote execution service, as clients and workers use it."""

import hashlib
import uuid

from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as services
from buildgrid._protos.google.bytestream import bytestream_pb2 as stream
from buildgrid._protos.google.bytestream import bytestream_pb2_grpc as streams

# Messages are at most 4 MiB; what is larger goes in pieces.
PIECE = 1 << 20


def digest(content):
    """Returns the name of some bytes in the store."""
    return api.Digest(hash=hashlib.sha256(content).hexdigest(), size_bytes=len(content))


class Store:
    """The store behind a channel."""

    def __init__(self, channel):
        self.blobs = services.ContentAddressableStorageStub(channel)
        self.stream = streams.ByteStreamStub(channel)

    def put(self, contents):
        """Stores what the store lacks of some byte strings; returns their digests."""
        named = {digest(content).hash: content for content in contents}
        digests = [digest(content) for content in contents]
        request = api.FindMissingBlobsRequest(blob_digests=digests)
        missing = self.blobs.FindMissingBlobs(request).missing_blob_digests
        missing = {blob.hash: named[blob.hash] for blob in missing}
        for content in missing.values():
            if len(content) > PIECE:
                self.write(content)
        small = [content for content in missing.values() if len(content) <= PIECE]
        if small:
            parts = [{"digest": digest(content), "data": content} for content in small]
            answer = self.blobs.BatchUpdateBlobs(api.BatchUpdateBlobsRequest(requests=parts))
            assert all(part.status.code == 0 for part in answer.responses), answer
        return digests

    def write(self, content):
        """Stores a large byte string."""
        name = digest(content)
        resource = f"uploads/{uuid.uuid4()}/blobs/{name.hash}/{name.size_bytes}"

        def pieces():
            for at in range(0, len(content), PIECE):
                piece = content[at : at + PIECE]
                yield stream.WriteRequest(
                    resource_name=resource,
                    write_offset=at,
                    data=piece,
                    finish_write=at + len(piece) == len(content),
                )

        assert self.stream.Write(pieces()).committed_size == len(content)

    def get(self, name):
        """Returns the bytes of a digest."""
        resource = f"blobs/{name.hash}/{name.size_bytes}"
        answer = self.stream.Read(stream.ReadRequest(resource_name=resource))
        content = b"".join(piece.data for piece in answer)
        assert digest(content) == name
        return content
