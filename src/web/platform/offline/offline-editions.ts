/** An edition that is stored on this device or is being downloaded. */
export interface OfflineEdition {
	key: string;
	/** Changes with the bytes; null while there is no copy to store. */
	version: string | null;
	/** URL of the bytes of this version only. */
	url: string;
	sizeBytes: number;
	/** Whether every byte is stored. Only complete editions are read from the device. */
	isWhole: boolean;
}

export interface OfflineData {
	userId: string;
	editions: readonly OfflineEdition[];
}

/** The fields of the shelf that decide which editions may be stored. */
export interface ShelfLike {
	access: string;
	editions: ReadonlyArray<{ key: string; version: string | null; url: string; size: number; copy: { state: string } }>;
}

/** The fields of a user that decide whether the offline data belongs to this user. */
export interface UserLike {
	id: string;
	role: string;
	view: unknown;
}

/** Whether this user may store editions: members their own copies; admins nothing, also when impersonating. */
export function canStoreOffline({ role, view }: Omit<UserLike, 'id'>): boolean {
	return role === 'user' && view === null;
}

/**
 * Returns the editions that stay stored, by the server's list of readable editions: others are removed, and an edition
 * with a new version is kept as an incomplete one, to be downloaded again.
 */
export function reconcileEditions(editions: readonly OfflineEdition[], shelf: ShelfLike): OfflineEdition[] {
	if (shelf.access !== 'open') return [];
	return editions.flatMap((edition) => {
		const shelfEdition = shelf.editions.find(({ key }) => key === edition.key);
		if (shelfEdition === undefined) return [];
		const version = shelfEdition.copy.state === 'ready' ? shelfEdition.version : null;
		if (version !== null && version === edition.version) return [edition];
		return [{ key: edition.key, version, url: shelfEdition.url, sizeBytes: shelfEdition.size, isWhole: false }];
	});
}

/** Returns the shelf for reading offline: only the editions that are complete on the device. */
export function offlineShelf<Shelf extends Pick<ShelfLike, 'editions'>>(
	shelf: Shelf,
	{ editions }: OfflineData,
): Shelf {
	const isStored = ({ key, version }: ShelfLike['editions'][number]) =>
		editions.some((edition) => edition.isWhole && edition.key === key && edition.version === version);
	return { ...shelf, editions: shelf.editions.filter(isStored) };
}
