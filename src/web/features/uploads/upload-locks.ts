const prefix = 'folio-upload ';

/**
 * Tells the other tabs of this browser that this one has an upload in hand, until the returned function is called or
 * the tab is gone. Without Web Locks (plain http on a foreign host) nobody is told.
 */
export function holdUpload(id: string): () => void {
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	if ('locks' in navigator) void navigator.locks.request(prefix + id, { ifAvailable: true }, () => held);
	return release;
}

/** The uploads that some tab of this browser has in hand. */
export async function findHeldUploads(): Promise<Set<string>> {
	if (!('locks' in navigator)) return new Set();
	const { held = [] } = await navigator.locks.query();
	return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
