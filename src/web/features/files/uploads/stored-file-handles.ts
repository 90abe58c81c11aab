/**
 * This database stores the file handles of unfinished uploads (File System Access, WICG; Chromium). With a handle, the
 * user can continue an upload of a closed tab without choosing the file again.
 */
const database = 'folio-uploads';
const store = 'handles';

/** APIs of Chromium (WICG File System Access) that are missing in the DOM types. */
export type FileHandle = FileSystemFileHandle & {
	queryPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
	requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
};

export function storeHandle(uploadId: string, handle: FileHandle): Promise<unknown> {
	return inStore('readwrite', (handles) => handles.put(handle, uploadId));
}

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
 * Returns the file of a handle. Call it in a click handler, because the browser may show a permission prompt.
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
