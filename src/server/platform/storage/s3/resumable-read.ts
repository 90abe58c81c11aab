import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from '../storage.ts';

interface Source {
	range: ByteRange;
	/** The first stream of the range, which is open already. */
	body: Readable;
	/** Opens the rest of the range. @throws Error when that fails after its own retries */
	reopen(start: number): Promise<Readable>;
	/** Converts the last error to the error that ends the stream. */
	giveUp(error: unknown): Error;
	idleTimeoutMs: number;
	maxAttempts: number;
	initialBackoffMs: number;
}

/**
 * Reads an object of a remote store as one stream. When the connection breaks or stalls, reading resumes at that
 * position; after some attempts without a single byte the stream fails. A slow reader does not count as a stall: time
 * is measured only while the reader wants bytes.
 */
export class ResumableRead extends Readable {
	readonly #source: Source;
	#offset: number;
	#body: Readable | null;
	#chunks: AsyncIterator<Buffer> | null = null;
	#fruitless = 0;

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
		this.#letGo();
		done(error);
	}

	/** @returns null after the last byte */
	async #next(): Promise<Buffer | null> {
		while (!this.destroyed) {
			const chunk = await this.#take().catch((error: unknown) => this.#noteBreak(error));
			if (chunk === 'broken') continue;
			if (chunk === null) return null;
			this.#offset += chunk.length;
			this.#fruitless = 0;
			return chunk;
		}
		return null;
	}

	async #take(): Promise<Buffer | null> {
		const { range, idleTimeoutMs: silentMs } = this.#source;
		const body = this.#body;
		if (body === null) throw new Error('broke off');
		this.#chunks ??= body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
		const timer = setTimeout(() => body.destroy(new Error(`no byte for ${silentMs} ms`)), silentMs);
		try {
			const { done, value } = await this.#chunks.next();
			if (!done) return value;
			if (this.#offset <= range.end) throw new Error('ended early');
			return null;
		} finally {
			clearTimeout(timer);
		}
	}

	/** @throws Error when it is given up */
	async #noteBreak(error: unknown): Promise<'broken'> {
		const { maxAttempts: tries, initialBackoffMs: pauseMs, giveUp, reopen } = this.#source;
		this.#letGo();
		this.#fruitless += 1;
		if (this.#fruitless >= tries) throw giveUp(error);
		await sleep(pauseMs * 2 ** (this.#fruitless - 1));
		if (this.destroyed) return 'broken';
		const body = ignoreEarlyErrors(await reopen(this.#offset));
		if (this.destroyed) body.destroy();
		else this.#body = body;
		return 'broken';
	}

	#letGo(): void {
		this.#body?.destroy();
		this.#body = null;
		this.#chunks = null;
	}
}

/** An error before the body is read must not end the process. */
function ignoreEarlyErrors(body: Readable): Readable {
	return body.on('error', () => {});
}
