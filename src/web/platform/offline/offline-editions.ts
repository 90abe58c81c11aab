/** An edition that this device keeps, or is about to. */
export interface OfflineEdition {
	key: string;
	/** Changes with the bytes; null while there is no copy to keep. */
	version: string | null;
	/** Address of the bytes, of this version only. */
	url: string;
	sizeBytes: number;
	/** Every byte is here. Nothing else is ever read from the device. */
	isWhole: boolean;
}

/** What a device keeps, and for whom. */
export interface OfflineData {
	userId: string;
	editions: readonly OfflineEdition[];
}

/** As much of the shelf as tells what may be kept. */
export interface ShelfLike {
	access: string;
	editions: ReadonlyArray<{
		key: string;
		version: string | null;
		url: string;
		size: number;
		copy: { state: string };
	}>;
}

/** As much of a person as tells whether they are the one for whom something is kept. */
export interface UserLike {
	id: string;
	role: string;
	view: unknown;
}

/** Whether a device may keep something for whoever it is: a reader's own copies, never an admin's originals, nor what an admin sees as a member. */
export function canStoreOffline({ role, view }: Omit<UserLike, 'id'>): boolean {
	return role === 'user' && view === null;
}

/**
 * What stays kept after the server has told what may be read: nothing of an edition that is gone, and of one whose bytes
 * are others now only the wish to keep it.
 */
export function reconcileEditions(editions: readonly OfflineEdition[], shelf: ShelfLike): OfflineEdition[] {
	if (shelf.access !== 'open') return [];
	return editions.flatMap((edition) => {
		const now = shelf.editions.find(({ key }) => key === edition.key);
		if (now === undefined) return [];
		const version = now.copy.state === 'ready' ? now.version : null;
		if (version !== null && version === edition.version) return [edition];
		return [{ key: edition.key, version, url: now.url, sizeBytes: now.size, isWhole: false }];
	});
}

/** The shelf without a line: what can be read from the device, and nothing else. */
export function offlineShelf<Shelf extends Pick<ShelfLike, 'editions'>>(
	shelf: Shelf,
	{ editions }: OfflineData,
): Shelf {
	const isStored = ({ key, version }: ShelfLike['editions'][number]) =>
		editions.some((edition) => edition.isWhole && edition.key === key && edition.version === version);
	return { ...shelf, editions: shelf.editions.filter(isStored) };
}
