import type { Readable } from 'node:stream';

/** The bytes of a stream as they come, and null whenever none has come for a while. The stream is closed at the end. */
export async function* readPatiently(source: Readable, pauseMs: number): AsyncGenerator<Buffer | null> {
	const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = chunks.next();
			// Noticed below; it must not count as unheard meanwhile.
			next.catch(() => {});
			let found = await orPause(next, pauseMs);
			while (found === null) {
				yield null;
				found = await orPause(next, pauseMs);
			}
			if (found.done === true) return;
			yield found.value;
		}
	} finally {
		source.destroy();
	}
}

function orPause<T>(work: Promise<T>, ms: number): Promise<T | null> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms, null);
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
