import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = ReturnType<typeof mountSmallDisk>;

const namespaceVariable = 'FOLIO_RESILIENCE_INSIDE';

/**
 * Mounting requires root. For any other user, runs the whole test again in a new user namespace (user_namespaces(7)),
 * in which a memory disk may be mounted.
 * @throws Error when the system allows neither
 */
export function enterMountingNamespace(): void {
	if (process.getuid?.() === 0) return;
	if (process.env[namespaceVariable] !== undefined)
		throw new Error('A small disk can be mounted neither by this user nor in a user namespace.');
	const { status, error } = spawnSync('unshare', ['-Urm', process.execPath, ...process.argv.slice(1)], {
		stdio: 'inherit',
		env: { ...process.env, [namespaceVariable]: '1' },
	});
	if (error !== undefined)
		throw new Error(`This resilience test needs root, or unshare with user namespaces: ${error.message}`);
	process.exit(status ?? 1);
}

/** Adds the folders of system programs, which PATH may lack. */
const systemPath = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/** Mounts a new file system: for root, ext4 in a file; for any other user, a memory disk. */
export function mountSmallDisk(sizeBytes: number) {
	const base = mkdtempSync(join(tmpdir(), 'folio-disk-'));
	const folder = join(base, 'mounted');
	mkdirSync(folder);
	const run = (command: string, ...args: string[]) =>
		execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: systemPath });
	if (process.env[namespaceVariable] === undefined) {
		const image = join(base, 'image');
		run('truncate', '-s', String(sizeBytes), image);
		run('mkfs.ext4', '-q', '-m', '0', image);
		run('mount', '-o', 'loop', image, folder);
	} else {
		run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder);
	}
	const filler = join(folder, 'other-data');
	const freeBytes = () => {
		const { bavail, bsize } = statfsSync(folder);
		return bavail * bsize;
	};
	const totalBytes = () => {
		const { blocks, bsize } = statfsSync(folder);
		return blocks * bsize;
	};
	const remove = () => {
		spawnSync('umount', ['-l', folder]);
		rmSync(base, { recursive: true, force: true });
	};
	process.once('exit', remove);
	return {
		folder,
		freeBytes,
		totalBytes,
		/** Fills the disk with a file of other data until only `freeBytesLeft` are free. */
		fillTo: (freeBytesLeft: number) => {
			rmSync(filler, { force: true });
			run('fallocate', '-l', String(Math.max(1, freeBytes() - freeBytesLeft)), filler);
		},
		clear: () => rmSync(filler, { force: true }),
		[Symbol.dispose]: remove,
	};
}
