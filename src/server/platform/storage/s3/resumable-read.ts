import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from '../storage.ts';

interface Source {
	range: ByteRange;
	/** The open stream of the range. */
	body: Readable;
	/** Opens the rest of the range from `start`. @throws Error when this fails after its own retries */
	reopen(start: number): Promise<Readable>;
	/** Converts the last error to the error that ends the stream. */
	giveUp(error: unknown): Error;
	idleTimeoutMs: number;
	maxAttempts: number;
	initialBackoffMs: number;
}

/**
 * Reads an object of a remote store as one stream. When the connection breaks or stalls, reading resumes at its
 * position; after `maxAttempts` without a byte the stream fails. The time of a slow reader does not count: the idle
 * timeout runs only while the reader waits for bytes.
 */
export class ResumableRead extends Readable {
	readonly #source: Source;
	#offset: number;
	#body: Readable | null;
	#chunks: AsyncIterator<Buffer> | null = null;
	#failedAttempts = 0;

	constructor(source: Source) {
		super();
		this.#source = source;
		this.#offset = source.range.start;
		this.#body = ignoreEarlyErrors(source.body);
	}

	override _read(): void {
		this.#next().then(
			(chunk) => this.push(chunk),
			(error: Error) => this.destroy(error),
		);
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.#closeBody();
		done(error);
	}

	/** @returns null after the last byte */
	async #next(): Promise<Buffer | null> {
		while (!this.destroyed) {
			const chunk = await this.#readChunk().catch((error: unknown) => this.#resume(error));
			if (chunk === 'retry') continue;
			if (chunk === null) return null;
			this.#offset += chunk.length;
			this.#failedAttempts = 0;
			return chunk;
		}
		return null;
	}

	async #readChunk(): Promise<Buffer | null> {
		const { range, idleTimeoutMs } = this.#source;
		const body = this.#body;
		if (body === null) throw new Error('not connected');
		this.#chunks ??= body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
		const timer = setTimeout(() => body.destroy(new Error(`no byte for ${idleTimeoutMs} ms`)), idleTimeoutMs);
		try {
			const { done, value } = await this.#chunks.next();
			if (!done) return value;
			if (this.#offset <= range.end) throw new Error('ended early');
			return null;
		} finally {
			clearTimeout(timer);
		}
	}

	/** Reopens the stream after an error. @throws Error when no attempt is left */
	async #resume(error: unknown): Promise<'retry'> {
		const { maxAttempts, initialBackoffMs, giveUp, reopen } = this.#source;
		this.#closeBody();
		this.#failedAttempts += 1;
		if (this.#failedAttempts >= maxAttempts) throw giveUp(error);
		await sleep(initialBackoffMs * 2 ** (this.#failedAttempts - 1));
		if (this.destroyed) return 'retry';
		const body = ignoreEarlyErrors(await reopen(this.#offset));
		if (this.destroyed) body.destroy();
		else this.#body = body;
		return 'retry';
	}

	#closeBody(): void {
		this.#body?.destroy();
		this.#body = null;
		this.#chunks = null;
	}
}

/** Adds a listener: without it, an error before the body is read would end the process. */
function ignoreEarlyErrors(body: Readable): Readable {
	return body.on('error', () => {});
}
