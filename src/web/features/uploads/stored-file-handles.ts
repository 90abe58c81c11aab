/**
 * Ways back to the files of unfinished uploads, kept in this browser (File System Access, WICG; Chromium has it): an
 * upload that a closed tab has left goes on without choosing its file again. Where anything of it is missing, nothing
 * is kept and nothing is found.
 */
const database = 'folio-uploads';
const store = 'handles';

/** What Chromium knows beyond the DOM's own types (WICG File System Access). */
export type FileHandle = FileSystemFileHandle & {
	queryPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
	requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
};

/** Keeps the way back to an upload's file. */
export async function storeHandle(uploadId: string, handle: FileHandle): Promise<void> {
	await inStore('readwrite', (handles) => handles.put(handle, uploadId)).catch(() => undefined);
}

/** The way back to an upload's file, null when this browser has none. */
export async function findStoredHandle(uploadId: string): Promise<FileHandle | null> {
	return (
		(await inStore<FileHandle | undefined>('readonly', (handles) => handles.get(uploadId)).catch(() => null)) ?? null
	);
}

/** Forgets one; the upload is over. */
export async function deleteHandle(uploadId: string): Promise<void> {
	await inStore('readwrite', (handles) => handles.delete(uploadId)).catch(() => undefined);
}

/** Forgets all: another person may sit here next. */
export async function deleteAllHandles(): Promise<void> {
	await inStore('readwrite', (handles) => handles.clear()).catch(() => undefined);
}

/** Forgets those of uploads that are no longer unfinished. */
export async function deleteHandlesExcept(uploadIds: ReadonlySet<string>): Promise<void> {
	const storedIds = await inStore('readonly', (handles) => handles.getAllKeys()).catch(() => []);
	for (const id of storedIds) if (!uploadIds.has(String(id))) await deleteHandle(String(id));
}

/**
 * The file behind a handle; the browser asks the person first where it must, so this wants a click.
 * @returns null when reading was not allowed, or the file is no longer there
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

async function inStore<T>(mode: IDBTransactionMode, act: (handles: IDBObjectStore) => IDBRequest<T>): Promise<T> {
	const db = await openDatabase();
	try {
		return await resultOf(act(db.transaction(store, mode).objectStore(store)));
	} finally {
		db.close();
	}
}

function openDatabase(): Promise<IDBDatabase> {
	const request = indexedDB.open(database, 1);
	request.onupgradeneeded = () => request.result.createObjectStore(store);
	return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}
