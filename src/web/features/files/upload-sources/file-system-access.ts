/**
 * Finds the handle of a chosen or dropped file, where the browser supports it (File System Access, WICG; Chromium).
 * With a handle, an interrupted upload continues later without its file being chosen again.
 */
export type FindFileHandle = () => Promise<FileSystemFileHandle | null>;

/** Chromium's additions that are missing in the DOM types. */
interface WindowWithFilePicker {
	showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;
}
interface ItemWithHandle {
	getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/**
 * Lets the user choose files in the browser's file picker, which also gives their handles.
 * @returns an empty list if nothing was chosen; null if the browser has no such picker and an input is needed
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

/** The handle of a dropped item. Must be requested inside the event. */
export function requestHandle(item: DataTransferItem): Promise<FileSystemHandle | null> {
	const request = (item as ItemWithHandle).getAsFileSystemHandle?.();
	return request?.catch(() => null) ?? Promise.resolve(null);
}

/** Finds a file in a dropped folder by its path; without names, the dropped file itself. */
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
