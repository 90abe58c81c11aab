import { type Lock, type Locker, MemoryLocker } from '@tus/server';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { acquireLease, type Lease } from '../../../platform/locking/leases/leases.ts';

const waitMs = 30_000;
const receiveLeaseName = (id: string) => `upload ${id}`;
const finishLeaseName = (id: string) => `upload ${id} finish`;

/** Returns the names of an upload's two leases: for receiving bytes, and for turning them into a file. */
export function uploadLeaseNames(id: string): string[] {
	return [receiveLeaseName(id), finishLeaseName(id)];
}

/** Creates the locker of tus: one request per upload, on all servers. A later request makes the current one end. */
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

/** Runs the work while no other server finishes the upload; waits up to 30 seconds. @throws AppError UPLOAD_LOCKED */
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
