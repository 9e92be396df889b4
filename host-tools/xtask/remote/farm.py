"""A farm on one machine: a remote execution service (BuildGrid) with two workers builds 1,000
programs by `mir obj`, one action each.

    farm.py MIR PROGRAMS DIRECTORY POSTGRESQL

PROGRAMS has the programs, POSTGRESQL the commands of the database that the service keeps its queue
in. It is checked that

- all actions are done though one of the workers is killed in the middle of an action,
- each object has the digest of the one that the same command makes here,
- a second run takes all of them from the cache.
"""

import hashlib
import os
import pwd
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as services

from store import Store, digest

# The actions that the client has under way at a time.
AT_ONCE = 16
# The number of the action in which the first worker is killed.
DIES_AT = 100
COMMAND = ["./mir", "obj", "--target", "riscv64", "-O2", "program.mir", "-o", "program.o"]

SERVER = """
server:
  - !channel
    address: "{address}"
    insecure-mode: true
authorization:
  method: none
connections:
  - !sql-connection &sql
    connection-string: "{database}"
storages:
  - !disk-storage &storage
    path: "{directory}/store"
caches:
  - !lru-action-cache &cache
    storage: *storage
    max-cached-refs: 10000
    allow-updates: true
    cache-failed-actions: false
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *storage
    action-cache: *cache
    bot-session-keepalive-timeout: 5
    session-expiry-timer-interval: 1
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.1
        priority-assignment-percentage: 100
instances:
  - name: ""
    services:
      - !action-cache
        cache: *cache
      - !execution
        scheduler: *scheduler
      - !bots
        scheduler: *scheduler
      - !cas
        storage: *storage
      - !bytestream
        storage: *storage
thread-pool-size: 60
"""


class Farm:
    """The service and its workers, as processes of this one."""

    def __init__(self, directory, postgresql):
        self.directory = directory
        self.postgresql = postgresql
        self.processes = []
        self.address = f"unix:{directory}/service"
        self.database = f"postgresql+psycopg2://postgres@/postgres?host={directory}"

    def start(self, name, words, **options):
        """Starts a process that is stopped with the farm; its messages go to a file."""
        log = open(self.directory / f"{name}.log", "wb")
        process = subprocess.Popen(words, stdout=log, stderr=log, **options)
        self.processes.append(process)
        return process

    def start_database(self):
        """Starts the database, under another user where this is root, as it insists on that."""
        options = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        libraries = self.postgresql.parents[3] / "lib/x86_64-linux-gnu"
        options["env"] = {"LD_LIBRARY_PATH": str(libraries), "LANG": "C", "PATH": os.environ["PATH"]}
        data = str(self.directory / "database")
        initdb = [self.postgresql / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **options)
        settings = ["listen_addresses=", f"unix_socket_directories={self.directory}"]
        settings = [word for setting in settings for word in ("-c", setting)]
        words = [self.postgresql / "postgres", "-D", data, "-F", *settings]
        self.start("database", words, **options)

    def start_service(self):
        """Starts the service, as soon as the database has its tables."""
        bgd = Path(sys.executable).with_name("bgd")
        migrate = [bgd, "migrate", "apply", self.database]
        for _ in range(20):
            made = subprocess.run(migrate, capture_output=True)
            if made.returncode == 0:
                break
            time.sleep(0.5)
        assert made.returncode == 0, made.stderr.decode()
        values = {"address": self.address, "database": self.database, "directory": self.directory}
        settings = self.directory / "service.yml"
        settings.write_text(SERVER.format(**values))
        self.start("service", [bgd, "server", "start", settings])

    def start_worker(self, name, *number):
        """Starts a worker with a directory of its own."""
        script = Path(__file__).with_name("worker.py")
        place = self.directory / name
        words = [sys.executable, script, self.address, place, name, *number]
        return self.start(name, words)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


class Client:
    """Executes the command on programs."""

    def __init__(self, channel, mir):
        self.store = Store(channel)
        self.service = services.ExecutionStub(channel)
        command = api.Command(arguments=COMMAND, output_paths=["program.o"])
        self.tool, self.command = self.store.put([mir, command.SerializeToString()])

    def execute(self, program):
        """Has a program compiled; returns the digest of the object, and whether it was known."""
        files = [
            api.FileNode(name="mir", digest=self.tool, is_executable=True),
            api.FileNode(name="program.mir", digest=digest(program)),
        ]
        root = api.Directory(files=files).SerializeToString()
        action = api.Action(command_digest=self.command, input_root_digest=digest(root))
        action = action.SerializeToString()
        *_, name = self.store.put([program, root, action])
        request = api.ExecuteRequest(action_digest=name)
        *_, operation = self.service.Execute(request, wait_for_ready=True)
        response = api.ExecuteResponse()
        assert operation.done and operation.response.Unpack(response), operation
        result = response.result
        assert response.status.code == 0 and result.exit_code == 0, response
        return result.output_files[0].digest.hash, response.cached_result

    def execute_all(self, programs):
        """Returns the results of all programs, how many were known, and the seconds it took."""
        start = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            results = list(threads.map(self.execute, programs))
        known = sum(is_known for _, is_known in results)
        return [name for name, _ in results], known, time.monotonic() - start


def compile_here(mir, files):
    """Returns the digests of the objects that this machine makes, and the seconds it took."""
    start = time.monotonic()
    digests = []
    for file in files:
        words = [mir, *COMMAND[1:5], file, "-o", "-"]
        made = subprocess.run(words, check=True, stdout=subprocess.PIPE)
        digests.append(hashlib.sha256(made.stdout).hexdigest())
    return digests, time.monotonic() - start


def main():
    mir, programs, directory, postgresql = (Path(word).resolve() for word in sys.argv[1:])
    files = sorted(programs.glob("*.mir"))
    contents = [file.read_bytes() for file in files]
    farm = Farm(directory, postgresql)
    try:
        farm.start_database()
        farm.start_service()
        doomed = farm.start_worker("doomed", str(DIES_AT))
        farm.start_worker("other")
        channel = grpc.insecure_channel(farm.address)
        grpc.channel_ready_future(channel).result(120)
        client = Client(channel, mir.read_bytes())
        made, known, seconds = client.execute_all(contents)
        print(f"first run: {len(made)} actions, {known} from the cache, {seconds:.1f} s")
        is_dead = doomed.poll() == -9
        print(f"the first worker was killed in the middle of action {DIES_AT}: {is_dead}")
        again, from_cache, seconds = client.execute_all(contents)
        print(f"second run: {len(again)} actions, {from_cache} from the cache, {seconds:.1f} s")
    finally:
        farm.stop()
    local, seconds = compile_here(mir, files)
    equal = sum(ours == theirs == second for ours, theirs, second in zip(local, made, again))
    print(f"digests as made here: {equal} of {len(local)} ({seconds:.1f} s, one after the other)")
    is_good = known == 0 and is_dead and from_cache == len(files) == equal
    sys.exit(not is_good)


main()
