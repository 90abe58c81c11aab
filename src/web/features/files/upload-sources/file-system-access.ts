/**
 * Ways back to chosen and dropped files, where the browser gives them (File System Access, WICG; Chromium): with one,
 * an upload that was left goes on later without its file being chosen again.
 */
export type FindFileHandle = () => Promise<FileSystemFileHandle | null>;

/** What Chromium knows beyond the DOM's own types. */
interface WindowWithFilePicker {
	showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;
}
interface ItemWithHandle {
	getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/**
 * Lets files be chosen in the browser's own dialog, together with their handles.
 * @returns null where there is no such dialog: an input has to ask; nothing chosen is an empty list
 */
export async function pickFiles(): Promise<Array<{ file: File; findHandle: FindFileHandle }> | null> {
	const { showOpenFilePicker } = window as WindowWithFilePicker;
	if (showOpenFilePicker === undefined) return null;
	try {
		const handles = await showOpenFilePicker.call(window, { multiple: true });
		return await Promise.all(
			handles.map(async (handle) => ({ file: await handle.getFile(), findHandle: async () => handle })),
		);
	} catch (error) {
		return error instanceof DOMException && error.name === 'AbortError' ? [] : null;
	}
}

/** The handle of what was dropped. Must be asked for inside the event. */
export function requestHandle(item: DataTransferItem): Promise<FileSystemHandle | null> {
	const request = (item as ItemWithHandle).getAsFileSystemHandle?.();
	return request?.catch(() => null) ?? Promise.resolve(null);
}

/** The way to a file in a dropped folder, or to a dropped file itself without any names. */
export function fileHandleFinder(root: Promise<FileSystemHandle | null>, names: readonly string[]): FindFileHandle {
	return async () => {
		let handle = await root;
		for (const [index, name] of names.entries()) {
			if (!(handle instanceof FileSystemDirectoryHandle)) return null;
			handle = index === names.length - 1 ? await handle.getFileHandle(name) : await handle.getDirectoryHandle(name);
		}
		return handle instanceof FileSystemFileHandle ? handle : null;
	};
}
