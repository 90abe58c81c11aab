import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange } from '#shared/byte-ranges.ts';
import type { CachedFileHandle } from './file-handle-cache.ts';

const bufferBytes = 256 * 1024;
/** Maximum number of reused buffers: 8 MB in all. Further responses have small buffers of their own. */
const maxBuffers = 32;
const smallBufferBytes = 64 * 1024;

const idleBuffers: Buffer[] = [];
/** Number of reused buffers, idle or in use. */
let bufferCount = 0;

const allocateSmallBuffer = () => Buffer.allocUnsafeSlow(smallBufferBytes);

function takeBuffer(): Buffer {
	const idle = idleBuffers.pop();
	if (idle !== undefined) return idle;
	if (bufferCount >= maxBuffers) return allocateSmallBuffer();
	bufferCount += 1;
	return Buffer.allocUnsafeSlow(bufferBytes);
}

/** @param areFree whether neither a read nor a write uses the buffers any more; otherwise they are not reused */
function returnBuffers(buffers: Buffer[], areFree: boolean): void {
	for (const buffer of buffers) {
		if (buffer.length < bufferBytes) continue;
		if (areFree) idleBuffers.push(buffer);
		else bufferCount -= 1;
	}
}

/**
 * A stream of a file or of a range of it, which closes the file. It fails when the file ends before the range does. When
 * it is piped to an HTTP response, it writes the bytes from two reused buffers: one is read into while the other is
 * written. Measured for 200 MB: 55 ms of processor time instead of 370 with `createReadStream`, most of which was the
 * collection of a new buffer for each 64 KB.
 */
export class FileStream extends Readable {
	readonly #file: CachedFileHandle;
	readonly #end: number;
	#position: number;

	constructor(file: CachedFileHandle, range?: ByteRange) {
		super();
		this.#file = file;
		this.#position = range?.start ?? 0;
		this.#end = range?.end ?? Number.POSITIVE_INFINITY;
	}

	override _read(): void {
		this.#readInto(allocateSmallBuffer()).then(
			(chunk) => this.push(chunk),
			(error: Error) => this.destroy(error),
		);
	}

	override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
		this.#file.release().then(() => callback(error), callback);
	}

	override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
		if (!(destination instanceof ServerResponse)) return super.pipe(destination, options);
		this.#writeTo(destination).catch((error: Error) => this.destroy(error));
		return destination;
	}

	/** Returns the next bytes, null at the end of the range or file. */
	async #readInto(buffer: Buffer): Promise<Buffer | null> {
		const wanted = Math.min(buffer.length, this.#end + 1 - this.#position);
		if (wanted <= 0) return null;
		const { bytesRead } = await this.#file.handle.read(buffer, 0, wanted, this.#position);
		this.#position += bytesRead;
		if (bytesRead === 0 && Number.isFinite(this.#end))
			throw new Error(`The file ends at byte ${this.#position}, before byte ${this.#end} of the range.`);
		return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
	}

	async #writeTo(response: ServerResponse): Promise<void> {
		const write = createWriter(response);
		// A pipelined response without a connection waits for its turn, and must not occupy reused buffers meanwhile.
		const take = response.socket === null ? allocateSmallBuffer : takeBuffer;
		const buffers: Buffer[] = [];
		let areFree = false;
		let written: Promise<void> | undefined;
		try {
			for (let turn = 0; ; turn = 1 - turn) {
				const buffer = buffers[turn] ?? take();
				buffers[turn] = buffer;
				const chunk = await this.#readInto(buffer);
				await written;
				if (this.destroyed) return;
				if (chunk === null || this.#position > this.#end) {
					// Ends this stream before the response, as `pipe` does.
					this.push(null);
					this.read();
					await write((done) => response.end(chunk ?? '', done));
					areFree = true;
					return;
				}
				written = write((done) => response.write(chunk, done));
				// Without this, its error would be unhandled if the next read fails first.
				written.catch(() => {});
			}
		} finally {
			returnBuffers(buffers, areFree);
		}
	}
}

/** Returns a function whose promise settles when one write is done, or when the connection has closed. */
function createWriter(response: ServerResponse) {
	let abort: (error: Error) => void = () => {};
	response.once('close', () => abort(new Error('The connection was closed.')));
	return (start: (done: (error?: Error | null) => void) => void) =>
		new Promise<void>((resolve, reject) => {
			abort = reject;
			start((error) => (error ? reject(error) : resolve()));
		});
}
