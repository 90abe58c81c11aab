import { limits } from '#contract/core/limits.ts';
/** What a failed request of an upload looked like; `status` 0 means that no answer came at all. */
export interface UploadFailure {
	method: string;
	status: number;
	/** The answer's error code (`FILE_EXISTS`, `STORAGE_FULL` …), '' when the answer had none. */
	code: string;
}

const firstDelaysMs = [0, 500, 1000, 2000, 3000];
const hourOfFiveSeconds = Array<number>(720).fill(5000);
const weekOfHalfMinutes = Array<number>(7 * 24 * 120).fill(30_000);

/**
 * Waits between tries, in milliseconds: quick at first, then every five seconds for an hour, then every half minute
 * for a week. How long it goes on at all is the owner's setting. Accepted bytes start the count anew.
 */
export const retryDelaysMs: number[] = [...firstDelaysMs, ...hourOfFiveSeconds, ...weekOfHalfMinutes];

/**
 * Whether the same request may succeed later without anybody's doing: no answer, a server in trouble, a lock
 * still held (423), too many requests (429), a timeout (408), or an offset that a fresh HEAD corrects (tus 1.0,
 * PATCH 409; or a creation of which only the answer was lost). A full disk (507) and a taken name are for the person
 * to solve.
 */
export function isWorthRetrying({ method, status, code }: UploadFailure): boolean {
	if (status === 0) return true;
	if (code === 'FILE_EXISTS' || status === 507) return false;
	if (status === 409) return method === 'PATCH' || code === 'UPLOAD_OFFSET';
	return status >= 500 || status === 408 || status === 423 || status === 429;
}

/**
 * Whether an answer to the HEAD of a stored upload says only "not now". tus-js-client takes every failed HEAD for
 * a lost upload and starts over from the first byte; only "it is gone" (404, 410) is a reason for that.
 */
export function isUploadStillStored(status: number): boolean {
	return status >= 400 && status !== 404 && status !== 410;
}

/** Measures how long it has been going wrong. */
export interface RetryDeadline {
	/** Something went wrong. @returns whether there is still time */
	hasTimeLeft: () => boolean;
	/** Something went right: the time starts anew. */
	reset: () => void;
}

/** @param limitMs for how long it is tried without any success */
export function createRetryDeadline(limitMs: () => number, now: () => number): RetryDeadline {
	let since: number | null = null;
	return {
		hasTimeLeft: () => {
			since ??= now();
			return now() - since < limitMs();
		},
		reset: () => {
			since = null;
		},
	};
}

/**
 * Size in bytes of the chunk after one that the server has accepted: doubled, up to the largest.
 * Source: the specification's section 9 (256 KB doubling to 32 MB).
 */
export function nextChunkBytes(currentBytes: number): number {
	return Math.min(currentBytes * 2, limits.uploadLargestChunkBytes);
}
