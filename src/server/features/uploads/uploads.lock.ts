import { type Lock, type Locker, MemoryLocker } from '@tus/server';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { type Lease, takeLease } from '../../platform/leases/leases.ts';

const waitMs = 30_000;
const receivingLease = (id: string) => `upload ${id}`;
const finishingLease = (id: string) => `upload ${id} finish`;

/** The names under which one of many servers receives an upload, and makes the file of it. */
export function uploadLeases(id: string): string[] {
	return [receivingLease(id), finishingLease(id)];
}

/**
 * One request at a time receives, asks about or cancels an upload, on whichever server: whoever comes later asks the one
 * before to let go. A single server needs no database for it.
 */
export function createUploadLocker(deps: Deps): Locker {
	if (deps.connection.kind === 'sqlite') return new MemoryLocker({ acquireLockTimeout: waitMs });
	return { newLock: (id) => leaseLock(deps, receivingLease(id)) };
}

function leaseLock(deps: Deps, name: string): Lock {
	let lease: Lease | null = null;
	return {
		async lock(signal, requestRelease) {
			lease = await takeLease(deps, name, { waitMs, signal, onWanted: () => void requestRelease() });
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
export async function finishingAlone(deps: Deps, id: string, work: () => Promise<void>): Promise<void> {
	if (deps.connection.kind === 'sqlite') return work();
	const lease = await takeLease(deps, finishingLease(id), { waitMs });
	if (lease === null) throw new AppError('UPLOAD_LOCKED');
	try {
		await work();
	} finally {
		await lease.release();
	}
}
