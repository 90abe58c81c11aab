import { Readable } from 'node:stream';
import { type ReadStreamOptions, ZipFile } from 'yazl';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { wallClockOf } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';
import { fileAccess } from '../tree/file-access.ts';
import { listZipEntries, type ZipEntry, type ZipNode } from './zip-entries.ts';
import { isCompressible } from './zip-names.ts';

interface ZipDownload {
	/** The file name offered for saving. */
	name: string;
	stream: Readable;
	/** Whether the caller may still read the requested nodes and the file that is being packed. */
	canContinue(): Promise<boolean>;
	/** Aborts the download because the client has disconnected. */
	stop(): void;
}

/**
 * Packs files, and folders with everything below them, while the stream is read: only the list of names is kept in
 * memory. Access to each file is checked again when it is packed; files that are no longer readable are listed in a
 * text file inside the ZIP.
 * @throws AppError NOT_FOUND when one of the requested nodes may not be read
 */
export async function openZipDownload(deps: Deps, caller: Caller, ids: readonly string[]): Promise<ZipDownload> {
	const nodes: ZipNode[] = await fileAccess().requireNodes(deps.db, caller, ids);
	const zip = new ZipFile();
	const stream = zip.outputStream as Readable;
	const isStillOpen = () => fileAccess().canStillReadAll(deps.db, caller, idsOf(nodes));
	const writer = new ZipWriter(deps, caller, zip, isStillOpen);
	// The response is aborted, so the client sees that it is incomplete.
	const fail = (error: unknown) => stream.destroy(error as Error);
	zip.on('error', fail);
	// The response reports errors; this listener only prevents an uncaught 'error' event.
	stream.on('error', () => {});
	stream.once('close', () => writer.stop());
	writer.run(nodes).catch(fail);
	const [only] = nodes;
	return {
		name: `${nodes.length === 1 && only !== undefined ? only.name : translate('zip_name', caller.locale)}.zip`,
		stream,
		canContinue: async () => (await isStillOpen()) && (await writer.canContinue()),
		stop: () => void stream.destroy(),
	};
}

const idsOf = (nodes: readonly ZipNode[]) => nodes.map(({ id }) => id);

/** Writes one ZIP from the first entry to the last. */
class ZipWriter {
	readonly #deps: Deps;
	readonly #caller: Caller;
	readonly #zip: ZipFile;
	readonly #isStillOpen: () => Promise<boolean>;
	readonly #missing: string[] = [];
	readonly #broken: string[] = [];
	#source: Readable | null = null;
	#current: string | null = null;
	#isStopped = false;

	/** `isStillOpen`: whether the caller may still read the requested nodes. */
	constructor(deps: Deps, caller: Caller, zip: ZipFile, isStillOpen: () => Promise<boolean>) {
		this.#deps = deps;
		this.#caller = caller;
		this.#zip = zip;
		this.#isStillOpen = isStillOpen;
	}

	async run(nodes: readonly ZipNode[]): Promise<void> {
		for await (const item of listZipEntries(this.#deps, this.#caller, nodes)) {
			// Folders cause no wait for bytes: without this, tens of thousands of them would block other requests.
			await yieldToEventLoop();
			if (this.#isStopped) return;
			if (item.node.kind === 'folder') this.#addFolder(item);
			else await this.#addFile(item);
		}
		// Access may end between two checks; skipping the file would then produce a complete-looking ZIP with a silent gap.
		if (!(await this.#isStillOpen())) throw new AppError('NOT_FOUND');
		this.#addNote();
		this.#zip.end();
	}

	/** Whether the caller may still read the file that is being packed. */
	async canContinue(): Promise<boolean> {
		return this.#current === null || fileAccess().canStillReadFile(this.#deps.db, this.#caller, this.#current);
	}

	stop(): void {
		this.#isStopped = true;
		this.#source?.destroy();
	}

	#addFolder({ path, node }: ZipEntry): void {
		this.#zip.addEmptyDirectory(path, this.#datesOf(node));
	}

	/** Resolves when the file's last byte has been read. */
	async #addFile({ path, node }: ZipEntry): Promise<void> {
		const bytes = await this.#open(node);
		if (bytes === null) {
			this.#missing.push(path);
			return;
		}
		if (this.#isStopped) {
			bytes.destroy();
			return;
		}
		const source = Readable.from(this.#readOut(bytes, path), { objectMode: false });
		this.#source = source;
		this.#current = node.id;
		const isOver = new Promise<void>((resolve) => source.once('close', resolve));
		this.#zip.addReadStream(source, path, { ...this.#datesOf(node), compress: isCompressible(node.name) });
		await isOver;
		this.#source = null;
		this.#current = null;
	}

	async #open(node: ZipNode): Promise<Readable | null> {
		try {
			const { blob_id } = await fileAccess().requireNode(this.#deps.db, this.#caller, node.id);
			const blob = await fileAccess().requireBlob(this.#deps.db, this.#caller, blob_id);
			return await this.#deps.storage.read(blob.storage_key);
		} catch (error) {
			const isForbidden = error instanceof AppError && error.code === 'NOT_FOUND';
			const isGone = isForbidden || (error as NodeJS.ErrnoException).code === 'ENOENT';
			if (!isGone) throw error;
			return null;
		}
	}

	/** Reads a file; one that breaks off is truncated and listed in the note, so that the ZIP itself stays valid. */
	async *#readOut(bytes: Readable, path: string): AsyncGenerator<Buffer> {
		try {
			for await (const chunk of bytes) yield chunk as Buffer;
		} catch (error) {
			if (this.#isStopped) return;
			this.#deps.log.error({ err: error }, 'file broke off in an archive');
			this.#broken.push(path);
		} finally {
			bytes.destroy();
		}
	}

	/** Adds a text file that lists missing and truncated files. */
	#addNote(): void {
		const { locale } = this.#caller;
		const parts = [
			{ text: 'zip_missing_text', paths: this.#missing },
			{ text: 'zip_broken_text', paths: this.#broken },
		].filter(({ paths }) => paths.length > 0);
		if (parts.length === 0) return;
		const words = parts.map(({ text, paths }) => [translate(text, locale), '', ...paths, ''].join('\r\n')).join('\r\n');
		const now = { created_at: this.#deps.clock.now().toISOString() };
		this.#zip.addBuffer(Buffer.from(words), translate('zip_missing_name', locale), this.#datesOf(now));
	}

	/** ZIP has no time zones, so the dates are in the business time zone. Source: APPNOTE 6.3.10, section 4.4.6. */
	#datesOf({ created_at }: { created_at: string }): Partial<ReadStreamOptions> {
		return { mtime: wallClockOf(created_at, this.#deps.config.TIME_ZONE), forceDosTimestamp: true };
	}
}
