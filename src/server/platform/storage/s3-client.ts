import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../reason.ts';

/** Where an S3-compatible store is and how to sign in to it. */
export interface S3Settings {
	/** Without it, AWS. */
	endpoint: string | undefined;
	region: string;
	bucket: string;
	accessKeyId: string;
	secretAccessKey: string;
}

/** How long the store is waited for, and how often. */
export interface Patience {
	connectMs: number;
	/** Without a byte for so long, a try has failed. */
	silentMs: number;
	/** What the store itself has to move bytes for may be silent for so long. */
	movingMs: number;
	/** What readiness may take. */
	checkMs: number;
	tries: number;
	/** Before the second try; doubled before each further one. */
	pauseMs: number;
}

export const usualPatience: Patience = {
	connectMs: 3000,
	silentMs: 10_000,
	movingMs: 60_000,
	checkMs: 2000,
	tries: 3,
	pauseMs: 200,
};

/** A connection that is slower than this is not waited for: 256 KB a second. */
const slowestBytesPerMs = 256;
const retryAfterSeconds = 5;
const tellEveryMs = 60_000;

/** One try: it ends when `abortSignal` does. */
export type Try<T> = (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>;

/** Asks the store, again where that may help. */
export interface S3Caller {
	/**
	 * A call with a short answer; `sentBytes` go along with it.
	 * @throws AppError STORAGE_UNAVAILABLE, STORAGE_FULL; the store's own error where nothing is there ({@link isMissing})
	 */
	ask<T>(work: Try<T>, sentBytes?: number): Promise<T>;
	/** The same for what lets the store move bytes itself. */
	askToMove<T>(work: Try<T>): Promise<T>;
	/** The same for bytes that are read at the pace of whoever takes them: only their beginning is waited for. */
	askForBytes<T>(work: Try<T>): Promise<T>;
	/** Once, and not for long. */
	askOnce<T>(work: Try<T>): Promise<T>;
	/** What a call that cannot go on is answered with. */
	giveUp(error: unknown): Error;
	close(): void;
}

export function createS3Caller(settings: S3Settings, log: Log, patience: Patience): S3Caller {
	// The usual fifty connections would be held by fifty slow readers, and nobody could buy.
	const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
	const connect = (socketTimeout?: number) =>
		new S3Client({
			region: settings.region,
			...(settings.endpoint !== undefined && { endpoint: settings.endpoint, forcePathStyle: true }),
			credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
			// Tried again here: the client's own tries end when many have failed, and begin again only slowly.
			maxAttempts: 1,
			// Checksums that only AWS knows are left out; see put().
			requestChecksumCalculation: 'WHEN_REQUIRED',
			responseChecksumValidation: 'WHEN_REQUIRED',
			// A store that is asked whether it wants the bytes, and is silent, would be waited for beyond every bound.
			expectContinueHeader: false,
			requestHandler: {
				connectionTimeout: patience.connectMs,
				...(socketTimeout !== undefined && { socketTimeout }),
				httpAgent: agent,
				httpsAgent: agent,
			},
		});
	const usual = connect(patience.silentMs);
	// Whoever reads slowly lets the connection wait, and that is no failure.
	const patient = connect();
	const teller = createTeller(log);

	async function inTries<T>(client: S3Client, work: Try<T>, waitMs: number, tries = patience.tries): Promise<T> {
		for (let tried = 1; ; tried += 1) {
			try {
				const answer = await beforeDeadline(waitMs, (abortSignal) => work(client, { abortSignal }));
				teller.answered();
				return answer;
			} catch (error) {
				if (isMissing(error)) throw error;
				if (!mayPass(error) || tried >= tries) throw giveUp(error);
			}
			await sleep(patience.pauseMs * 2 ** (tried - 1));
		}
	}

	function giveUp(error: unknown): Error {
		if (error instanceof AppError) return error;
		const failure = toFailure(error);
		if (failure instanceof AppError && failure.code === 'STORAGE_UNAVAILABLE') teller.failed(error);
		return failure;
	}

	return {
		ask: (work, sentBytes = 0) => inTries(usual, work, patience.silentMs + sentBytes / slowestBytesPerMs),
		askToMove: (work) => inTries(patient, work, patience.movingMs),
		askForBytes: (work) => inTries(patient, work, patience.silentMs),
		askOnce: (work) => inTries(usual, work, patience.checkMs, 1),
		giveUp,
		close() {
			usual.destroy();
			patient.destroy();
		},
	};
}

/** Whether the store says that there is no such key, or no such upload. */
export function isMissing(error: unknown): boolean {
	return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes((error as Error).name);
}

const passingNames = [
	'BadDigest',
	'IncompleteBody',
	'OperationAborted',
	'RequestTimeout',
	'RequestTimeTooSkewed',
	'SlowDown',
];

/** Whether the same may succeed when it is asked for again: nothing came back, half of it, or the store's own fault. */
function mayPass(error: unknown): boolean {
	const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
	const status = $metadata?.httpStatusCode;
	if (status === undefined || status < 300 || passingNames.includes(name)) return true;
	return (status >= 500 && status !== 507) || status === 429 || status === 408;
}

function toFailure(error: unknown): Error {
	const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
	if (status === 507) return new AppError('STORAGE_FULL', { cause: error });
	// Whatever it refuses, keys that are wrong by now or a bucket that is gone, nobody's request can help.
	return new AppError('STORAGE_UNAVAILABLE', { retryAfterSeconds, cause: error });
}

async function beforeDeadline<T>(waitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const cut = new AbortController();
	const timer = setTimeout(() => cut.abort(), waitMs);
	try {
		return await work(cut.signal);
	} finally {
		clearTimeout(timer);
	}
}

/** Says in the log that the store fails, and that it answers again; not with every call. */
function createTeller(log: Log) {
	let isFailing = false;
	let toldAt = Number.NEGATIVE_INFINITY;
	return {
		failed(error: unknown) {
			isFailing = true;
			if (performance.now() - toldAt < tellEveryMs) return;
			toldAt = performance.now();
			log.warn({ why: reasonOf(error) }, 'the file store does not answer');
		},
		answered() {
			if (!isFailing) return;
			isFailing = false;
			log.info('the file store answers again');
		},
	};
}
