import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../app-error.ts';
import { describeError } from '../../error-logging.ts';
import type { Log } from '../../log.ts';

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
export interface RetryPolicy {
	connectTimeoutMs: number;
	/** Without a byte for so long, a try has failed. */
	idleTimeoutMs: number;
	/** What the store itself has to move bytes for may be silent for so long. */
	serverCopyTimeoutMs: number;
	/** What readiness may take. */
	healthCheckTimeoutMs: number;
	maxAttempts: number;
	/** Before the second try; doubled before each further one. */
	initialBackoffMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
	connectTimeoutMs: 3000,
	idleTimeoutMs: 10_000,
	serverCopyTimeoutMs: 60_000,
	healthCheckTimeoutMs: 2000,
	maxAttempts: 3,
	initialBackoffMs: 200,
};

/** A connection that is slower than this is not waited for: 256 KB a second. */
const minThroughputBytesPerMs = 256;
const retryAfterSeconds = 5;
const outageLogIntervalMs = 60_000;

/** One try: it ends when `abortSignal` does. */
export type Attempt<T> = (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>;

/** Asks the store, again where that may help. */
export interface S3RequestRunner {
	/**
	 * A call with a short answer; `sentBytes` go along with it.
	 * @throws AppError STORAGE_UNAVAILABLE, STORAGE_FULL; the store's own error where nothing is there ({@link isMissing})
	 */
	send<T>(work: Attempt<T>, sentBytes?: number): Promise<T>;
	/** The same for what lets the store move bytes itself. */
	sendServerSideCopy<T>(work: Attempt<T>): Promise<T>;
	/** The same for bytes that are read at the pace of whoever takes them: only their beginning is waited for. */
	openBody<T>(work: Attempt<T>): Promise<T>;
	/** Once, and not for long. */
	sendOnce<T>(work: Attempt<T>): Promise<T>;
	/** What a call that cannot go on is answered with. */
	toFinalError(error: unknown): Error;
	close(): void;
}

export function createS3RequestRunner(settings: S3Settings, log: Log, patience: RetryPolicy): S3RequestRunner {
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
				connectionTimeout: patience.connectTimeoutMs,
				...(socketTimeout !== undefined && { socketTimeout }),
				httpAgent: agent,
				httpsAgent: agent,
			},
		});
	const usual = connect(patience.idleTimeoutMs);
	// Whoever reads slowly lets the connection wait, and that is no failure.
	const patient = connect();
	const teller = createOutageLogger(log);

	async function inTries<T>(
		client: S3Client,
		work: Attempt<T>,
		waitMs: number,
		tries = patience.maxAttempts,
	): Promise<T> {
		for (let tried = 1; ; tried += 1) {
			try {
				const answer = await withTimeout(waitMs, (abortSignal) => work(client, { abortSignal }));
				teller.answered();
				return answer;
			} catch (error) {
				if (isMissing(error)) throw error;
				if (!isRetryable(error) || tried >= tries) throw giveUp(error);
			}
			await sleep(patience.initialBackoffMs * 2 ** (tried - 1));
		}
	}

	function giveUp(error: unknown): Error {
		if (error instanceof AppError) return error;
		const failure = toFailure(error);
		if (failure instanceof AppError && failure.code === 'STORAGE_UNAVAILABLE') teller.failed(error);
		return failure;
	}

	return {
		send: (work, sentBytes = 0) => inTries(usual, work, patience.idleTimeoutMs + sentBytes / minThroughputBytesPerMs),
		sendServerSideCopy: (work) => inTries(patient, work, patience.serverCopyTimeoutMs),
		openBody: (work) => inTries(patient, work, patience.idleTimeoutMs),
		sendOnce: (work) => inTries(usual, work, patience.healthCheckTimeoutMs, 1),
		toFinalError: giveUp,
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

const retryableErrorNames = [
	'BadDigest',
	'IncompleteBody',
	'OperationAborted',
	'RequestTimeout',
	'RequestTimeTooSkewed',
	'SlowDown',
];

/** Whether the same may succeed when it is asked for again: nothing came back, half of it, or the store's own fault. */
function isRetryable(error: unknown): boolean {
	const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
	const status = $metadata?.httpStatusCode;
	if (status === undefined || status < 300 || retryableErrorNames.includes(name)) return true;
	return (status >= 500 && status !== 507) || status === 429 || status === 408;
}

function toFailure(error: unknown): Error {
	const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
	if (status === 507) return new AppError('STORAGE_FULL', { cause: error });
	// Whatever it refuses, keys that are wrong by now or a bucket that is gone, nobody's request can help.
	return new AppError('STORAGE_UNAVAILABLE', { retryAfterSeconds, cause: error });
}

async function withTimeout<T>(waitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const cut = new AbortController();
	const timer = setTimeout(() => cut.abort(), waitMs);
	try {
		return await work(cut.signal);
	} finally {
		clearTimeout(timer);
	}
}

/** Says in the log that the store fails, and that it answers again; not with every call. */
function createOutageLogger(log: Log) {
	let isFailing = false;
	let toldAt = Number.NEGATIVE_INFINITY;
	return {
		failed(error: unknown) {
			isFailing = true;
			if (performance.now() - toldAt < outageLogIntervalMs) return;
			toldAt = performance.now();
			log.warn({ why: describeError(error) }, 'the file store does not answer');
		},
		answered() {
			if (!isFailing) return;
			isFailing = false;
			log.info('the file store answers again');
		},
	};
}
