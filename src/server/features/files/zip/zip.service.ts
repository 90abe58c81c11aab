import { Readable } from 'node:stream';
import { type ReadStreamOptions, ZipFile } from 'yazl';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, ignoreNotFound } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { wallClockOf } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import { fileAccess } from '../tree/file-access.ts';
import { listZipEntries, type ZipEntry, type ZipNode } from './zip-entries.ts';
import { isCompressible } from './zip-names.ts';

/**
 * Packs files and folders as a ZIP while the stream is read. Access to each file is checked again before it is packed.
 * Files that are no longer readable are listed in a text file in the ZIP.
 * @throws AppError NOT_FOUND when a requested node is absent or forbidden
 */
export async function openZipDownload(deps: Deps, caller: Caller, ids: readonly string[]) {
	const { locale } = caller;
	const { texts } = await siteIdentity()(deps);
	const nodes: ZipNode[] = await fileAccess().requireNodes(deps.db, caller, ids);
	const zip = new ZipFile();
	const stream = zip.outputStream as Readable;
	const isStillOpen = () => fileAccess().canStillReadAll(deps.db, caller, idsOf(nodes));
	const writer = createZipWriter(deps, caller, zip, isStillOpen);
	// Aborts the response, so that the client detects an incomplete file.
	const fail = (error: unknown) => stream.destroy(error as Error);
	zip.on('error', fail);
	// The response reports errors; this listener only prevents an uncaught 'error' event.
	stream.on('error', () => {});
	stream.once('close', () => writer.stop());
	writer.run(nodes).catch(fail);
	const [only] = nodes;
	return {
		name: `${nodes.length === 1 && only !== undefined ? only.name : translate('zip_name', locale, { name: texts[locale].wordmark })}.zip`,
		stream,
		/** Whether the caller may still read the requested nodes and the file that is being packed. */
		canContinue: async () => (await isStillOpen()) && (await writer.canContinue()),
		/** Aborts the download after the client has disconnected. */
		stop: () => void stream.destroy(),
	};
}

const idsOf = (nodes: readonly ZipNode[]) => nodes.map(({ id }) => id);

/** `isStillOpen`: whether the caller may still read the requested nodes. */
function createZipWriter(deps: Deps, caller: Caller, zip: ZipFile, isStillOpen: () => Promise<boolean>) {
	const missing: string[] = [];
	const broken: string[] = [];
	let source: Readable | null = null;
	let current: string | null = null;
	let isStopped = false;

	return { run, canContinue, stop };

	async function run(nodes: readonly ZipNode[]): Promise<void> {
		for await (const item of listZipEntries(deps, caller, nodes)) {
			// Folders cause no wait for bytes. Without yielding, tens of thousands of folders would block other requests.
			await yieldToEventLoop();
			if (isStopped) return;
			if (item.node.kind === 'folder') zip.addEmptyDirectory(item.path, datesOf(item.node));
			else await addFile(item);
		}
		// If access to the requested nodes has ended, files were skipped. Without an error, the ZIP would look complete.
		if (!(await isStillOpen())) throw new AppError('NOT_FOUND');
		addNote();
		zip.end();
	}

	async function canContinue(): Promise<boolean> {
		return current === null || fileAccess().canStillReadFile(deps.db, caller, current);
	}

	function stop(): void {
		isStopped = true;
		source?.destroy();
	}

	/** Adds a file; resolves when its last byte has been read. */
	async function addFile({ path, node }: ZipEntry): Promise<void> {
		const bytes = await openFile(node).catch(ignoreNotFound).catch(ignoreMissingFile);
		if (bytes === null) {
			missing.push(path);
			return;
		}
		if (isStopped) {
			bytes.destroy();
			return;
		}
		source = Readable.from(readUntilError(bytes, path), { objectMode: false });
		current = node.id;
		const isRead = new Promise<void>((resolve) => source?.once('close', resolve));
		zip.addReadStream(source, path, { ...datesOf(node), compress: isCompressible(node.name) });
		await isRead;
		source = null;
		current = null;
	}

	async function openFile(node: ZipNode): Promise<Readable> {
		const { blob_id } = await fileAccess().requireNode(deps.db, caller, node.id);
		const blob = await fileAccess().requireBlob(deps.db, caller, blob_id);
		return deps.storage.read(blob.storage_key);
	}

	/** Yields a file's bytes. After a read error the file is truncated and listed in the note; the ZIP stays valid. */
	async function* readUntilError(bytes: Readable, path: string): AsyncGenerator<Buffer> {
		try {
			for await (const chunk of bytes) yield chunk as Buffer;
		} catch (error) {
			if (isStopped) return;
			deps.log.error({ err: error }, 'a file of a ZIP download cannot be read to its end');
			broken.push(path);
		} finally {
			bytes.destroy();
		}
	}

	function addNote(): void {
		const { locale } = caller;
		const parts = [
			{ text: 'zip_missing_text', paths: missing },
			{ text: 'zip_broken_text', paths: broken },
		].filter(({ paths }) => paths.length > 0);
		if (parts.length === 0) return;
		const note = parts.map(({ text, paths }) => [translate(text, locale), '', ...paths, ''].join('\r\n')).join('\r\n');
		const now = { created_at: deps.clock.now().toISOString() };
		zip.addBuffer(Buffer.from(note), translate('zip_missing_name', locale), datesOf(now));
	}

	/** ZIP has no time zones, so dates are in the business time zone. Source: APPNOTE 6.3.10, section 4.4.6. */
	function datesOf({ created_at }: { created_at: string }): Partial<ReadStreamOptions> {
		return { mtime: wallClockOf(created_at, deps.config.TIME_ZONE), forceDosTimestamp: true };
	}
}
