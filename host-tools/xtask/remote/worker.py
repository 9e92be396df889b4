"""A worker: takes actions from a remote execution service, runs each in a directory of its own, and
stores what it made.

    worker.py SERVER DIRECTORY NAME [NUMBER]

With a number it is killed in the middle of that action, as by a machine that fails.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2 as bots
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2_grpc as services
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import worker_pb2 as workers

from store import Store

# The longest time that the service may keep a call that waits for work.
PATIENCE = 10


class Worker:
    """A worker with a directory for its actions, and what it has fetched before."""

    def __init__(self, channel, directory, dies_at):
        self.store = Store(channel)
        self.directory = directory
        self.known = directory / "blobs"
        self.known.mkdir(parents=True)
        self.dies_at = dies_at
        self.number = 0

    def fetch(self, name):
        """Returns the file with the bytes of a digest."""
        file = self.known / name.hash
        if not file.exists():
            file.write_bytes(self.store.get(name))
            file.chmod(0o555)
        return file

    def message(self, name, kind):
        """Returns a message of the store."""
        return kind.FromString(self.fetch(name).read_bytes())

    def lay_out(self, name, place):
        """Makes a directory as a message describes it."""
        place.mkdir()
        directory = self.message(name, api.Directory)
        for file in directory.files:
            os.link(self.fetch(file.digest), place / file.name)
        for inner in directory.directories:
            self.lay_out(inner.digest, place / inner.name)

    def run(self, lease):
        """Runs the action of a lease; returns its result."""
        self.number += 1
        action = api.Action()
        if not lease.payload.Unpack(action):
            name = api.Digest()
            lease.payload.Unpack(name)
            action = self.message(name, api.Action)
        command = self.message(action.command_digest, api.Command)
        place = self.directory / f"action {self.number}"
        self.lay_out(action.input_root_digest, place)
        ran = subprocess.Popen(
            command.arguments,
            cwd=place,
            env={variable.name: variable.value for variable in command.environment_variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if self.number == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        out, said = ran.communicate()
        result = api.ActionResult(exit_code=ran.returncode, stdout_raw=out, stderr_raw=said)
        files = [path for path in command.output_paths if (place / path).is_file()]
        contents = [(place / path).read_bytes() for path in files]
        for path, name in zip(files, self.store.put(contents) if contents else []):
            result.output_files.add(path=path, digest=name)
        shutil.rmtree(place)
        return result


def main():
    server, directory, name, *number = sys.argv[1:]
    channel = grpc.insecure_channel(server)
    grpc.channel_ready_future(channel).result(120)
    worker = Worker(channel, Path(directory), int(number[0]) if number else 0)
    service = services.BotsStub(channel)
    device = workers.Worker(devices=[workers.Device(handle=name)])
    session = bots.BotSession(bot_id=name, status=bots.OK, worker=device)
    request = bots.CreateBotSessionRequest(parent="", bot_session=session)
    session = service.CreateBotSession(request, timeout=PATIENCE)
    while True:
        for lease in session.leases:
            if lease.state == bots.PENDING:
                lease.state = bots.ACTIVE
            elif lease.state == bots.ACTIVE:
                lease.result.Pack(worker.run(lease))
                lease.state = bots.COMPLETED
        request = bots.UpdateBotSessionRequest(name=session.name, bot_session=session)
        session = service.UpdateBotSession(request, timeout=PATIENCE)


main()
