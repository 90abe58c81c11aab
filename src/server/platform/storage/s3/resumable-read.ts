import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from '../storage.ts';

interface Source {
	range: ByteRange;
	/** The bytes of the range that have been opened already. */
	body: Readable;
	/** Opens the rest of it. @throws Error when that cannot be, after tries of its own */
	reopen(start: number): Promise<Readable>;
	/** What the stream ends with when it cannot go on. */
	giveUp(error: unknown): Error;
	idleTimeoutMs: number;
	maxAttempts: number;
	initialBackoffMs: number;
}

/**
 * Bytes of a store somewhere else as one stream. Where they break off or fall silent, they are taken up again at that
 * place; after some tries without a single byte, the stream fails. Nobody's own slowness counts: only bytes that are
 * wanted are waited for.
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

/** What breaks off before somebody reads it must not end the process. */
function ignoreEarlyErrors(body: Readable): Readable {
	return body.on('error', () => {});
}
