import { m } from '#messages';
import { type FindFileHandle, fileHandleFinder, requestHandle } from './file-system-access.ts';

/** Chosen, dropped or pasted files with their folder names, and folders that contain no file. */
export interface PickedFiles {
	files: Array<{ file: File; folders: string[]; findHandle?: FindFileHandle }>;
	emptyFolders: string[][];
}

/** Files of an input, with their folders if a folder was chosen (browsers omit its empty folders). */
export function readInputFiles(files: Iterable<File>): PickedFiles {
	return {
		files: [...files].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) })),
		emptyFolders: [],
	};
}

/** Reads dropped files and folders recursively. Must be called inside the event; the content is read after it. */
export function readDroppedFiles(data: DataTransfer): Promise<PickedFiles> {
	const picked: PickedFiles = { files: [], emptyFolders: [] };
	const items = [...data.items].filter((item) => item.kind === 'file');
	// All items must be requested at once, because the transfer is empty after the event.
	const dropped = items.map((item) => ({
		entry: item.webkitGetAsEntry(),
		file: item.getAsFile(),
		handle: requestHandle(item),
	}));
	return Promise.all(
		dropped.map(async ({ entry, file, handle }) => {
			if (entry?.isDirectory === true)
				await readFolder(entry as FileSystemDirectoryEntry, [entry.name], picked, handle);
			else if (file !== null) picked.files.push({ file, folders: [], findHandle: fileHandleFinder(handle, []) });
		}),
	).then(() => picked);
}

/** Files on the clipboard; an image that has no file name gets the time as its name. */
export function readPastedFiles(data: DataTransfer | null): PickedFiles {
	const files = [...(data?.files ?? [])].map((file) => ({ file: withPastedName(file), folders: [] }));
	return { files, emptyFolders: [] };
}

function withPastedName(file: File): File {
	if (!/^image\.\w+$/u.test(file.name)) return file;
	const time = new Date().toLocaleString('sv').replaceAll(':', '.');
	const name = `${m.uploads_pasted_name({ time })}.${file.name.split('.').at(-1)}`;
	return new File([file], name, { type: file.type, lastModified: file.lastModified });
}

async function readFolder(
	folder: FileSystemDirectoryEntry,
	names: string[],
	picked: PickedFiles,
	root: Promise<FileSystemHandle | null>,
): Promise<void> {
	const entries = await readAllEntries(folder);
	if (entries.length === 0) picked.emptyFolders.push(names);
	for (const entry of entries) {
		if (entry.isDirectory) await readFolder(entry as FileSystemDirectoryEntry, [...names, entry.name], picked, root);
		else {
			const findHandle = fileHandleFinder(root, [...names.slice(1), entry.name]);
			picked.files.push({ file: await readFile(entry as FileSystemFileEntry), folders: names, findHandle });
		}
	}
}

/** Reads all entries of a folder; a browser returns at most 100 at a time. */
async function readAllEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
	const reader = folder.createReader();
	const all: FileSystemEntry[] = [];
	for (;;) {
		const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return all;
		all.push(...some);
	}
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
	return new Promise((resolve, reject) => entry.file(resolve, reject));
}
