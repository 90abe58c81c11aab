import { type FileHandle, open } from 'node:fs/promises';

/** Time for which an unused file stays open. A deleted file frees its disk space only when it is closed. */
const keptOpenMs = 1000;
/** Maximum number of open files that are kept for the next reader. */
const maxKeptFiles = 64;

interface OpenFile {
	handle: FileHandle;
	readers: number;
	timer?: NodeJS.Timeout;
}

export interface LentFile {
	handle: FileHandle;
	release(): Promise<void>;
}

/**
 * Opens files, and keeps each open for a second after its last use, because a reader of ranges asks for the next range
 * soon. Only for files whose content never changes. Measured: 0.29 ms instead of 0.35 of processor time for a range of
 * 256 KB.
 */
export function createOpenFiles() {
	const kept = new Map<string, OpenFile>();

	async function close(path: string): Promise<void> {
		const file = kept.get(path);
		if (file === undefined) return;
		kept.delete(path);
		clearTimeout(file.timer);
		if (file.readers === 0) await file.handle.close();
	}

	async function take(path: string): Promise<OpenFile> {
		const known = kept.get(path);
		if (known !== undefined) {
			known.readers += 1;
			return known;
		}
		const file = { handle: await open(path, 'r'), readers: 1 };
		if (!kept.has(path) && kept.size < maxKeptFiles) kept.set(path, file);
		return file;
	}

	return {
		/** @throws Error with code ENOENT when the file does not exist */
		async lend(path: string): Promise<LentFile> {
			const file = await take(path);
			const release = async () => {
				file.readers -= 1;
				if (file.readers > 0) return;
				if (kept.get(path) !== file) return file.handle.close();
				file.timer?.refresh();
				file.timer ??= setTimeout(() => {
					if (file.readers === 0) void close(path).catch(() => {});
				}, keptOpenMs).unref();
			};
			return { handle: file.handle, release };
		},
		close,
		async closeAll() {
			for (const path of [...kept.keys()]) await close(path);
		},
	};
}
