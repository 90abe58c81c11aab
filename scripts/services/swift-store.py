"""OpenStack Swift with its s3api on the loopback address, in one folder: the S3 store of the tests.

python3 swift-store.py FOLDER USER KEY PROXY_PORT ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT

FOLDER must support extended attributes. The program ends when its parent process ends. swift.mjs runs the program and
waits until it answers.
"""

import ctypes
import getpass
import json
import os
import signal
import sys
import types
from time import monotonic

folder, s3_user, s3_key = sys.argv[1:4]
proxy_port = int(sys.argv[4])
storage_ports = dict(zip(("account", "container", "object"), (int(port) for port in sys.argv[5:8])))

SHARED = f"""[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
user = {getpass.getuser()}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = WARNING
"""

STORAGE = """
[pipeline:main]
pipeline = {kind}-server

[app:{kind}-server]
use = egg:swift#{kind}
# Listings must show a new object at once, even on a busy machine. By default, if the update of a listing takes more
# than a second, Swift leaves the update to a daemon.
container_update_timeout = 30
conn_timeout = 10
node_timeout = 30
"""

# Swift's manifests must have space for as many parts as S3 allows.
PROXY = """
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
conn_timeout = 10
node_timeout = 60
error_suppression_limit = 100000

[filter:cache]
paste.filter_factory = folio_cache:filter_factory

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
max_upload_part_num = 10000
# Fewer than the 1,000 of S3, so that tests of several pages need few keys.
max_bucket_listing = 100

[filter:tempauth]
use = egg:swift#tempauth
user_{user} = {key} .admin

[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
""" + "".join(
    f"\n[filter:{name}]\nuse = egg:swift#{name}\n"
    for name in ("catch_errors", "gatekeeper", "healthcheck", "listing_formats", "bulk", "copy", "dlo")
)


class Cache:
    """Implements the methods of memcached that Swift calls. The entries are in the memory of this process."""

    def __init__(self):
        self.entries = {}

    def get(self, key, **_):
        value, ends_at = self.entries.get(key, ("null", 0))
        return json.loads(value) if ends_at > monotonic() else None

    def set(self, key, value, time=0, **_):
        self.entries[key] = (json.dumps(value), monotonic() + (time or 60))

    def delete(self, key, **_):
        self.entries.pop(key, None)


def cache_factory(*_, **__):
    cache = Cache()

    def wrap(app):
        def serve_with_cache(env, start_response):
            env["swift.cache"] = cache
            return app(env, start_response)

        return serve_with_cache

    return wrap


def write(name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def end_with_parent():
    """Makes Linux kill this process when its parent ends."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def require_attributes():
    probe = os.path.join(folder, "probe")
    write("probe", "")
    try:
        os.setxattr(probe, "user.swift", b"1")
    except OSError as error:
        sys.exit(f"{folder} does not support extended attributes: {error.strerror}")
    os.remove(probe)


def make_rings():
    from swift.common.ring import RingBuilder

    for kind, port in storage_ports.items():
        builder = RingBuilder(2, 1, 0)
        place = {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "disk", "weight": 1}
        builder.add_dev({**place, "replication_ip": "127.0.0.1", "replication_port": port, "meta": ""})
        builder.rebalance()
        builder.get_ring().save(os.path.join(folder, f"{kind}.ring.gz"))


def write_configurations():
    for kind, port in storage_ports.items():
        write(f"{kind}-server.conf", f"{SHARED}bind_port = {port}\n{STORAGE.format(kind=kind)}")
    user = s3_user.replace(":", "_")
    write("proxy-server.conf", f"{SHARED}bind_port = {proxy_port}\n{PROXY.format(user=user, key=s3_key)}")


def serve(kind):
    """Starts one server in a child process. Returns its process ID."""
    parent = os.getpid()
    pid = os.fork()
    if pid != 0:
        return pid
    end_with_parent()
    if os.getppid() != parent:
        os._exit(1)
    from swift.common.wsgi import run_wsgi

    os._exit(run_wsgi(os.path.join(folder, f"{kind}-server.conf"), f"{kind}-server", verbose=True) or 0)


def main():
    end_with_parent()
    require_attributes()
    os.makedirs(os.path.join(folder, "devices", "disk"), exist_ok=True)
    write("swift.conf", "[swift-hash]\nswift_hash_path_prefix = folio\nswift_hash_path_suffix = tests\n")
    from swift.common.utils import set_swift_dir

    set_swift_dir(folder)
    # The proxy's configuration names this module.
    sys.modules["folio_cache"] = types.SimpleNamespace(filter_factory=cache_factory)
    make_rings()
    write_configurations()
    children = [serve(kind) for kind in (*storage_ports, "proxy")]

    def stop(*_):
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os._exit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended, _ = os.wait()
    print(f"server {ended} has ended", file=sys.stderr, flush=True)
    stop()


main()
