/**
 * Ways back to chosen and dropped files, where the browser gives them (File System Access, WICG; Chromium): with one,
 * an upload that was left goes on later without its file being chosen again.
 */
export type FindHandle = () => Promise<FileSystemFileHandle | null>;

/** What Chromium knows beyond the DOM's own types. */
interface PickingWindow {
	showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;
}
interface HandledItem {
	getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/**
 * Lets files be chosen in the browser's own dialog, together with their handles.
 * @returns null where there is no such dialog: an input has to ask; nothing chosen is an empty list
 */
export async function pickFiles(): Promise<Array<{ file: File; findHandle: FindHandle }> | null> {
	const { showOpenFilePicker } = window as PickingWindow;
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
export function handleOf(item: DataTransferItem): Promise<FileSystemHandle | null> {
	const asked = (item as HandledItem).getAsFileSystemHandle?.();
	return asked?.catch(() => null) ?? Promise.resolve(null);
}

/** The way to a file in a dropped folder, or to a dropped file itself without any names. */
export function wayTo(root: Promise<FileSystemHandle | null>, names: readonly string[]): FindHandle {
	return async () => {
		let at = await root;
		for (const [index, name] of names.entries()) {
			if (!(at instanceof FileSystemDirectoryHandle)) return null;
			at = index === names.length - 1 ? await at.getFileHandle(name) : await at.getDirectoryHandle(name);
		}
		return at instanceof FileSystemFileHandle ? at : null;
	};
}
