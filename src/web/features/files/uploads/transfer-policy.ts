import { limits } from '#contract/core/limits.ts';

/** A failed request of an upload. `status` is 0 without a response. */
export interface UploadFailure {
	method: string;
	status: number;
	/** The response's error code (`FILE_EXISTS`, `STORAGE_FULL` …); '' without a code. */
	code: string;
}

/**
 * Delays between attempts, in milliseconds: short at first, then 5 seconds for an hour, then 30 seconds for a week. The
 * setting for the upload retry time limits the total. The sequence restarts when the server accepts bytes.
 */
export const retryDelaysMs: number[] = [
	...[0, 500, 1000, 2000, 3000],
	...Array<number>(720).fill(5000),
	...Array<number>(7 * 24 * 120).fill(30_000),
];

/**
 * Whether the same request may succeed later without user action. Status 409 of a PATCH (tus 1.0) or the code
 * UPLOAD_OFFSET means a wrong offset, which the next HEAD request corrects. A full disk (507) and a taken name need a
 * user action.
 */
export function isWorthRetrying({ method, status, code }: UploadFailure): boolean {
	if (status === 0) return true;
	if (code === 'FILE_EXISTS' || status === 507) return false;
	if (status === 409) return method === 'PATCH' || code === 'UPLOAD_OFFSET';
	return status >= 500 || status === 408 || status === 423 || status === 429;
}

/**
 * Whether the server may still have an upload after its HEAD request failed with `status`. tus-js-client restarts an
 * upload from the first byte after every failed HEAD, which is correct only if the upload is gone (404, 410).
 */
export function isUploadStillStored(status: number): boolean {
	return status >= 400 && status !== 404 && status !== 410;
}

export type RetryDeadline = ReturnType<typeof createRetryDeadline>;

/** Limits how long an upload is retried without any success. */
export function createRetryDeadline(limitMs: () => number, now = () => performance.now()) {
	let since: number | null = null;
	return {
		/** Must be called after each failure. @returns whether there is time for a retry */
		hasTimeLeft: () => {
			since ??= now();
			return now() - since < limitMs();
		},
		/** Must be called after each success. */
		reset: () => {
			since = null;
		},
	};
}

/** Doubles the size of a chunk, from 256 KB up to 32 MB. Source: the specification's section 9. */
export function nextChunkBytes(currentBytes: number): number {
	return Math.min(currentBytes * 2, limits.uploadLargestChunkBytes);
}
