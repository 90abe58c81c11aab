import { limits } from '#contract/core/limits.ts';

/** A failed request of an upload; `status` 0 means that there was no response. */
export interface UploadFailure {
	method: string;
	status: number;
	/** The response's error code (`FILE_EXISTS`, `STORAGE_FULL` …), '' if it had none. */
	code: string;
}

/**
 * Delays between attempts, in milliseconds: short at first, then 5 seconds for an hour, then 30 seconds for a week. The
 * owner's setting limits the total. The sequence restarts when the server accepts bytes.
 */
export const retryDelaysMs: number[] = [
	...[0, 500, 1000, 2000, 3000],
	...Array<number>(720).fill(5000),
	...Array<number>(7 * 24 * 120).fill(30_000),
];

/**
 * Whether the same request may succeed later without user action: no response, a server error, a locked upload (423),
 * too many requests (429), a timeout (408), or a wrong offset that the next HEAD corrects (tus 1.0, PATCH 409; or a
 * creation whose response was lost). A full disk (507) and a taken name need a user action.
 */
export function isWorthRetrying({ method, status, code }: UploadFailure): boolean {
	if (status === 0) return true;
	if (code === 'FILE_EXISTS' || status === 507) return false;
	if (status === 409) return method === 'PATCH' || code === 'UPLOAD_OFFSET';
	return status >= 500 || status === 408 || status === 423 || status === 429;
}

/**
 * Whether a failed HEAD of a stored upload is temporary. tus-js-client treats every failed HEAD as a lost upload and
 * restarts from the first byte, which is correct only if the upload is gone (404, 410).
 */
export function isUploadStillStored(status: number): boolean {
	return status >= 400 && status !== 404 && status !== 410;
}

export type RetryDeadline = ReturnType<typeof createRetryDeadline>;

/** Limits how long an upload is retried without any success. */
export function createRetryDeadline(limitMs: () => number, now = () => performance.now()) {
	let since: number | null = null;
	return {
		/** Call after a failure. @returns whether there is time for another attempt */
		hasTimeLeft: () => {
			since ??= now();
			return now() - since < limitMs();
		},
		/** Call after a success; the time starts again. */
		reset: () => {
			since = null;
		},
	};
}

/**
 * Returns the size in bytes of the next chunk after the server has accepted one: doubled, up to the maximum.
 * Source: the specification's section 9 (256 KB doubling to 32 MB).
 */
export function nextChunkBytes(currentBytes: number): number {
	return Math.min(currentBytes * 2, limits.uploadLargestChunkBytes);
}
