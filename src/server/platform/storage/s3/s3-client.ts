import { setTimeout as sleep } from 'node:timers/promises';
import {
	type $Command,
	HeadBucketCommand,
	S3Client,
	type S3ClientResolvedConfig,
	type ServiceInputTypes,
	type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { AppError } from '../../app-error.ts';
import type { Log } from '../../log.ts';
import { describeError } from '../../log.ts';

export interface S3Settings {
	/** Default: AWS. */
	endpoint: string | undefined;
	region: string;
	bucket: string;
	accessKeyId: string;
	secretAccessKey: string;
}

export interface RetryPolicy {
	connectTimeoutMs: number;
	/** An attempt fails when no byte arrives for this time. */
	idleTimeoutMs: number;
	/** Timeout of requests that make the store join or delete objects. */
	slowTimeoutMs: number;
	healthCheckTimeoutMs: number;
	maxAttempts: number;
	/** Pause before the second attempt; doubled before each further one. */
	initialBackoffMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
	connectTimeoutMs: 3000,
	idleTimeoutMs: 10_000,
	slowTimeoutMs: 60_000,
	healthCheckTimeoutMs: 2000,
	maxAttempts: 3,
	initialBackoffMs: 200,
};

/** Minimum throughput for which the timeout of an upload suffices: 256 KB a second. */
const minThroughputBytesPerMs = 256;
const retryAfterSeconds = 5;
const outageLogIntervalMs = 60_000;
/** Longest pause between two probes of a store that does not answer. */
const probePauseMaxMs = 1000;

type Command<I extends ServiceInputTypes, O extends ServiceOutputTypes> = $Command<I, O, S3ClientResolvedConfig>;
type Send = <I extends ServiceInputTypes, O extends ServiceOutputTypes>(command: Command<I, O>) => Promise<O>;

/** Creates functions that send requests to the store, and retry failed requests if a retry may succeed. */
export function createS3RequestRunner(settings: S3Settings, log: Log, retryPolicy: RetryPolicy) {
	// No limit. Otherwise fifty slow readers would use all connections, and purchases would wait.
	const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
	const connect = (socketTimeout?: number) =>
		new S3Client({
			region: settings.region,
			...(settings.endpoint !== undefined && { endpoint: settings.endpoint, forcePathStyle: true }),
			credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
			// Retried below, because the client's own retries stop for some time after many failures.
			maxAttempts: 1,
			// Other stores reject the new checksums of AWS, so put() sends an MD5 instead.
			requestChecksumCalculation: 'WHEN_REQUIRED',
			responseChecksumValidation: 'WHEN_REQUIRED',
			// Off, because waiting for the response to `Expect: 100-continue` would have no timeout.
			expectContinueHeader: false,
			requestHandler: {
				connectionTimeout: retryPolicy.connectTimeoutMs,
				...(socketTimeout !== undefined && { socketTimeout }),
				httpAgent: agent,
				httpsAgent: agent,
			},
		});
	const client = connect(retryPolicy.idleTimeoutMs);
	// For slow readers, whose connections may be idle.
	const clientWithoutIdleTimeout = connect();
	const outageLogger = createOutageLogger(log);

	const probe = () =>
		attempt(client, new HeadBucketCommand({ Bucket: settings.bucket }), retryPolicy.healthCheckTimeoutMs);
	const breaker = createCircuitBreaker(probe, retryPolicy);
	let isClosed = false;

	async function attempt<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
		usedClient: S3Client,
		command: Command<I, O>,
		waitMs: number,
	) {
		try {
			const response = await withTimeout(waitMs, (abortSignal) => usedClient.send(command, { abortSignal }));
			breaker.close();
			outageLogger.answered();
			return response;
		} catch (error) {
			if (statusOf(error) !== undefined) breaker.close();
			else if (!isClosed) breaker.suspect();
			throw error;
		}
	}

	async function sendWithRetries<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
		usedClient: S3Client,
		command: Command<I, O>,
		waitMs: number,
	) {
		if (breaker.isOpen()) throw toFinalError(new Error('no request is sent until the store answers again'));
		for (let attempts = 1; ; attempts += 1) {
			try {
				return await attempt(usedClient, command, waitMs);
			} catch (error) {
				if (isMissing(error)) throw error;
				if (!isRetryable(error) || attempts >= retryPolicy.maxAttempts || breaker.isOpen()) throw toFinalError(error);
			}
			await sleep(retryPolicy.initialBackoffMs * 2 ** (attempts - 1));
		}
	}

	/** Converts an error to the error that is thrown when no attempt is left. */
	function toFinalError(error: unknown): Error {
		if (error instanceof AppError) return error;
		const failure = toFailure(error);
		if (failure instanceof AppError && failure.code === 'STORAGE_UNAVAILABLE') outageLogger.failed(error);
		return failure;
	}

	/**
	 * Sends a request with a short response; `sentBytes` is the size of its body.
	 * @throws AppError STORAGE_UNAVAILABLE, STORAGE_FULL; the store's own error if the key is missing ({@link isMissing})
	 */
	const send = <I extends ServiceInputTypes, O extends ServiceOutputTypes>(command: Command<I, O>, sentBytes = 0) =>
		sendWithRetries(client, command, retryPolicy.idleTimeoutMs + sentBytes / minThroughputBytesPerMs);
	/** Like `send`, with a longer timeout, for a request that makes the store join or delete objects. */
	const sendSlow: Send = (command) => sendWithRetries(clientWithoutIdleTimeout, command, retryPolicy.slowTimeoutMs);
	/** Like `send`, for a response body that may be read slowly: only the start of the response has a timeout. */
	const openBody: Send = (command) => sendWithRetries(clientWithoutIdleTimeout, command, retryPolicy.idleTimeoutMs);
	/** Sends one request with a short timeout, also while the breaker is open. @throws AppError STORAGE_UNAVAILABLE */
	const check = async () => {
		await probe().catch((error: unknown) => {
			throw toFinalError(error);
		});
	};

	function close(): void {
		isClosed = true;
		breaker.close();
		client.destroy();
		clientWithoutIdleTimeout.destroy();
	}

	return { send, sendSlow, openBody, check, isAnswering: () => !breaker.isOpen(), toFinalError, close };
}

export function isMissing(error: unknown): boolean {
	return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes((error as Error).name);
}

const retryableErrorName =
	/^(?:BadDigest|IncompleteBody|OperationAborted|RequestTimeout|RequestTimeTooSkewed|SlowDown)$/u;

/** Whether a retry may succeed: the response was missing or incomplete, or the store failed. */
function isRetryable(error: unknown): boolean {
	const status = statusOf(error);
	if (status === undefined || status < 300 || retryableErrorName.test((error as Error).name)) return true;
	return (status >= 500 && status !== 507) || status === 429 || status === 408;
}

/** Returns the status of the store's response; undefined after a timeout or a failed connection. */
function statusOf(error: unknown): number | undefined {
	return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function toFailure(error: unknown): Error {
	if (statusOf(error) === 507) return new AppError('STORAGE_FULL', { cause: error });
	// Also for wrong access keys or a deleted bucket, because the browser's request to Folio is not the cause.
	return new AppError('STORAGE_UNAVAILABLE', { retryAfterSeconds, cause: error });
}

async function withTimeout<T>(waitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(), waitMs);
	try {
		return await work(controller.signal);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Circuit breaker for a store that does not answer, so that calls fail at once instead of each waiting for its own
 * timeouts. It opens only after `maxAttempts` probes in a row have failed, because a request without a response may be a
 * slow upload, and a store may restart. Probes continue until any request is answered. cockatiel would let a user's
 * request with its long timeout be the probe, and measures by the wall clock.
 */
function createCircuitBreaker(probe: () => Promise<unknown>, { maxAttempts, initialBackoffMs }: RetryPolicy) {
	/** Null while requests are answered. */
	let failedProbes: number | null = null;
	let isWatching = false;

	async function watch(): Promise<void> {
		isWatching = true;
		while (failedProbes !== null) {
			await probe().catch(() => {});
			if (failedProbes === null) break;
			const pauseMs = Math.min(initialBackoffMs * 2 ** failedProbes, probePauseMaxMs);
			failedProbes += 1;
			await sleep(pauseMs, undefined, { ref: false });
		}
		isWatching = false;
	}

	return {
		isOpen: () => failedProbes !== null && failedProbes >= maxAttempts,
		/** Starts probes after a request without a response. */
		suspect(): void {
			failedProbes ??= 0;
			if (!isWatching) void watch();
		},
		/** Ends the probes when the store has answered. */
		close(): void {
			failedProbes = null;
		},
	};
}

/** Logs failures of the store at most once a minute, and when the store responds again. */
function createOutageLogger(log: Log) {
	let isFailing = false;
	let loggedAt = Number.NEGATIVE_INFINITY;
	return {
		failed(error: unknown) {
			isFailing = true;
			if (performance.now() - loggedAt < outageLogIntervalMs) return;
			loggedAt = performance.now();
			log.warn({ why: describeError(error) }, 'the file store does not answer');
		},
		answered() {
			if (!isFailing) return;
			isFailing = false;
			log.info('the file store answers again');
		},
	};
}
