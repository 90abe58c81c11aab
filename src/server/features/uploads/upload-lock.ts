import { type Lock, type Locker, MemoryLocker } from '@tus/server';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { acquireLease, type Lease } from '../../platform/locking/leases/leases.ts';

const waitMs = 30_000;
const receiveLeaseName = (id: string) => `upload ${id}`;
const finishLeaseName = (id: string) => `upload ${id} finish`;

/** The names under which one of many servers receives an upload, and makes the file of it. */
export function uploadLeaseNames(id: string): string[] {
	return [receiveLeaseName(id), finishLeaseName(id)];
}

/**
 * One request at a time receives, asks about or cancels an upload, on whichever server: whoever comes later asks the one
 * before to let go. A single server needs no database for it.
 */
export function createUploadLocker(deps: Deps): Locker {
	if (deps.connection.kind === 'sqlite') return new MemoryLocker({ acquireLockTimeout: waitMs });
	return { newLock: (id) => createLeaseLock(deps, receiveLeaseName(id)) };
}

function createLeaseLock(deps: Deps, name: string): Lock {
	let lease: Lease | null = null;
	return {
		async lock(signal, requestRelease) {
			lease = await acquireLease(deps, name, { waitMs, signal, onRequested: () => void requestRelease() });
			if (lease === null) throw new AppError('UPLOAD_LOCKED');
		},
		async unlock() {
			await lease?.release();
		},
	};
}

/**
 * Does the work while no other server does it for the same upload.
 * @throws AppError UPLOAD_LOCKED when another has been at it for long
 */
export async function withFinishLease(deps: Deps, id: string, work: () => Promise<void>): Promise<void> {
	if (deps.connection.kind === 'sqlite') return work();
	const lease = await acquireLease(deps, finishLeaseName(id), { waitMs });
	if (lease === null) throw new AppError('UPLOAD_LOCKED');
	try {
		await work();
	} finally {
		await lease.release();
	}
}
