import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../app-error.ts';
import type { Log } from '../../log.ts';
import { describeError } from '../../log.ts';

/** Where an S3-compatible store is and how to sign in to it. */
export interface S3Settings {
	/** AWS by default. */
	endpoint: string | undefined;
	region: string;
	bucket: string;
	accessKeyId: string;
	secretAccessKey: string;
}

/** Timeouts and attempts of requests to the store. */
export interface RetryPolicy {
	connectTimeoutMs: number;
	/** An attempt fails after this time without a byte. */
	idleTimeoutMs: number;
	/** Timeout of requests for which the store itself copies bytes. */
	serverCopyTimeoutMs: number;
	healthCheckTimeoutMs: number;
	maxAttempts: number;
	/** Pause before the second attempt; doubled before each further one. */
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

/** Uploads slower than 256 KB a second time out. */
const minThroughputBytesPerMs = 256;
const retryAfterSeconds = 5;
const outageLogIntervalMs = 60_000;

/** One attempt, which ends when `abortSignal` is aborted. */
export type Attempt<T> = (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>;

/** Sends requests to the store and retries those that may succeed. */
interface S3RequestRunner {
	/**
	 * Sends a request with a short response; `sentBytes` is the size of its body.
	 * @throws AppError STORAGE_UNAVAILABLE, STORAGE_FULL; the store's own error if the key is missing ({@link isMissing})
	 */
	send<T>(work: Attempt<T>, sentBytes?: number): Promise<T>;
	/** Like `send`, for a request that makes the store copy bytes itself. */
	sendServerSideCopy<T>(work: Attempt<T>): Promise<T>;
	/** Like `send`, for a response body that is read at the reader's pace: only its start has a timeout. */
	openBody<T>(work: Attempt<T>): Promise<T>;
	/** Sends a request once, with a short timeout. */
	sendOnce<T>(work: Attempt<T>): Promise<T>;
	/** Converts an error to the one that is thrown when no attempt is left. */
	toFinalError(error: unknown): Error;
	close(): void;
}

export function createS3RequestRunner(settings: S3Settings, log: Log, patience: RetryPolicy): S3RequestRunner {
	// Fifty slow readers would use up the default of fifty connections, and purchases would wait.
	const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
	const connect = (socketTimeout?: number) =>
		new S3Client({
			region: settings.region,
			...(settings.endpoint !== undefined && { endpoint: settings.endpoint, forcePathStyle: true }),
			credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
			// Retried here: the client's own retries stop after many failures, and resume only slowly.
			maxAttempts: 1,
			// Checksums that only AWS knows are left out; see put().
			requestChecksumCalculation: 'WHEN_REQUIRED',
			responseChecksumValidation: 'WHEN_REQUIRED',
			// Waiting for a store that never answers `Expect: 100-continue` would have no timeout.
			expectContinueHeader: false,
			requestHandler: {
				connectionTimeout: patience.connectTimeoutMs,
				...(socketTimeout !== undefined && { socketTimeout }),
				httpAgent: agent,
				httpsAgent: agent,
			},
		});
	const usual = connect(patience.idleTimeoutMs);
	// No idle timeout, because a slow reader leaves its connection idle.
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

/** Whether a retry may succeed: there was no response or half of one, or the store failed. */
function isRetryable(error: unknown): boolean {
	const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
	const status = $metadata?.httpStatusCode;
	if (status === undefined || status < 300 || retryableErrorNames.includes(name)) return true;
	return (status >= 500 && status !== 507) || status === 429 || status === 408;
}

function toFailure(error: unknown): Error {
	const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
	if (status === 507) return new AppError('STORAGE_FULL', { cause: error });
	// Also for refusals (wrong keys, a deleted bucket), because the client's request is not the cause.
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

/** Logs that the store fails, and that it answers again, but not for every request. */
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
