/**
 * Stores the file handles of unfinished uploads in this browser (File System Access, WICG; Chromium), so that an upload
 * of a closed tab continues without choosing its file again. Without browser support, nothing is stored.
 */
const database = 'folio-uploads';
const store = 'handles';

/** Chromium's additions (WICG File System Access) that are missing in the DOM types. */
export type FileHandle = FileSystemFileHandle & {
	queryPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
	requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
};

export function storeHandle(uploadId: string, handle: FileHandle): Promise<unknown> {
	return inStore('readwrite', (handles) => handles.put(handle, uploadId));
}

/** Returns the stored handle of an upload's file; null if this browser has none. */
export async function findStoredHandle(uploadId: string): Promise<FileHandle | null> {
	return (await inStore<FileHandle | undefined>('readonly', (handles) => handles.get(uploadId))) ?? null;
}

export async function deleteHandle(uploadId: string): Promise<void> {
	await inStore('readwrite', (handles) => handles.delete(uploadId));
}

/** Deletes all handles, so that the next user of this browser cannot use them. */
export function deleteAllHandles(): Promise<unknown> {
	return inStore('readwrite', (handles) => handles.clear());
}

export async function deleteHandlesExcept(uploadIds: ReadonlySet<string>): Promise<void> {
	const storedIds = await inStore('readonly', (handles) => handles.getAllKeys());
	for (const id of storedIds ?? []) if (!uploadIds.has(String(id))) await deleteHandle(String(id));
}

/**
 * Returns the file behind a handle. The browser may ask the user for permission, which it does only after a click.
 * @returns null when permission was denied or the file no longer exists
 */
export async function readHandle(handle: FileHandle): Promise<File | null> {
	const permission = { mode: 'read' } as const;
	try {
		let state = await handle.queryPermission?.(permission);
		if (state === 'prompt') state = await handle.requestPermission?.(permission);
		return state === 'denied' || state === 'prompt' ? null : await handle.getFile();
	} catch {
		return null;
	}
}

/** Runs one database request; resolves to undefined if this browser cannot store handles. */
async function inStore<T>(
	mode: IDBTransactionMode,
	createRequest: (handles: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
	try {
		const opening = indexedDB.open(database, 1);
		opening.onupgradeneeded = () => opening.result.createObjectStore(store);
		const db = await resultOf(opening);
		try {
			return await resultOf(createRequest(db.transaction(store, mode).objectStore(store)));
		} finally {
			db.close();
		}
	} catch {
		return undefined;
	}
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}
