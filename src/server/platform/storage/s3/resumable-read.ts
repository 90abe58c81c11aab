import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from '#shared/byte-ranges.ts';

interface Source {
	range: ByteRange;
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
 * Reads an object of a remote store as one stream. When the connection breaks or stalls, reading resumes after the last
 * received byte. The stream fails after `maxAttempts` attempts without a byte. The idle timeout runs only while the
 * reader waits for bytes, so a slow reader causes no timeout.
 */
export function createResumableRead(source: Source): Readable {
	let body = ignoreEarlyErrors(source.body);
	const chunks = readChunks();
	const stream = new Readable({
		read() {
			chunks.next().then(
				({ done, value }) => this.push(done === true ? null : value),
				(error: Error) => this.destroy(error),
			);
		},
		destroy(error, done) {
			body.destroy();
			done(error);
		},
	});
	return stream;

	async function* readChunks(): AsyncGenerator<Buffer> {
		const { range, idleTimeoutMs, maxAttempts, initialBackoffMs } = source;
		let offset = range.start;
		for (let failedAttempts = 0; !stream.destroyed; ) {
			try {
				for await (const chunk of failWhenIdle(body, idleTimeoutMs)) {
					offset += chunk.length;
					failedAttempts = 0;
					yield chunk;
				}
				if (offset > range.end) return;
				throw new Error('ended early');
			} catch (error) {
				failedAttempts += 1;
				if (failedAttempts >= maxAttempts) throw source.giveUp(error);
			}
			await sleep(initialBackoffMs * 2 ** (failedAttempts - 1));
			if (stream.destroyed) return;
			body = ignoreEarlyErrors(await source.reopen(offset));
		}
		body.destroy();
	}
}

async function* failWhenIdle(body: Readable, idleTimeoutMs: number): AsyncGenerator<Buffer> {
	const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
	for (;;) {
		const timer = setTimeout(() => body.destroy(new Error(`no byte for ${idleTimeoutMs} ms`)), idleTimeoutMs);
		const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
		if (done === true) return;
		yield value;
	}
}

/** Adds a listener: without it, an error before the body is read would end the process. */
function ignoreEarlyErrors(body: Readable): Readable {
	return body.on('error', () => {});
}
