import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';

/** Adds the folders of system programs, which PATH may lack. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
/**
 * EXT4_IOC_SHUTDOWN with NOLOGFLUSH (2): from now on the file system writes nothing, not even its journal, and all calls
 * fail. Source: fs/ext4/ext4.h of Linux.
 */
const shutDown = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

function run(command: string, ...args: string[]): void {
	execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
}

/**
 * Mounts a new ext4 file system from a file by a loop device, whose power can be cut.
 * @throws Error in words when this user or machine cannot mount it
 */
export function mountCutDisk(sizeBytes: number) {
	if (process.getuid?.() !== 0) throw new Error('This resilience test needs root, because it mounts a loop device.');
	const base = mkdtempSync(join(fastTemporaryFolder(sizeBytes), 'folio-cut-'));
	const [image, folder] = [join(base, 'image'), join(base, 'mounted')];
	mkdirSync(folder);
	const mount = () => run('mount', '-o', 'loop', image, folder);
	const remove = () => {
		spawnSync('umount', ['-l', folder]);
		rmSync(base, { recursive: true, force: true });
	};
	process.once('exit', remove);
	try {
		run('truncate', '-s', String(sizeBytes), image);
		run('mkfs.ext4', '-q', '-m', '0', image);
		mount();
	} catch (error) {
		throw new Error(`This resilience test needs mkfs.ext4 and a loop device that can be mounted: ${error}`);
	}
	return {
		folder,
		/** Loses everything that was not yet written to the disk. */
		cutPower: () => run('python3', '-c', shutDown, folder),
		/** Mounts the file system again, as after a power failure. No program may use it. */
		mountAgain: () => {
			run('umount', folder);
			mount();
		},
		[Symbol.dispose]: remove,
	};
}
