/** An edition that is stored offline or is being downloaded. */
export interface OfflineEdition {
	key: string;
	/** Changes when the file changes; null while the user's watermarked copy does not exist. */
	version: string | null;
	/** The URL contains the version. */
	url: string;
	sizeBytes: number;
	/** Whether all bytes are stored. Only complete editions are read offline. */
	isWhole: boolean;
}

export interface OfflineData {
	userId: string;
	editions: readonly OfflineEdition[];
}

export interface ShelfLike {
	access: string;
	editions: ReadonlyArray<{ key: string; version: string | null; url: string; size: number; copy: { state: string } }>;
}

export interface UserLike {
	id: string;
	role: string;
	view: unknown;
}

/** Members may store editions. Admins may not, even during an impersonation. */
export function canStoreOffline({ role, view }: Omit<UserLike, 'id'>): boolean {
	return role === 'user' && view === null;
}

/** Removes editions that the user can no longer read. Editions with a new version become incomplete. */
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

/** Returns the shelf with only the editions that are stored completely. */
export function offlineShelf<Shelf extends Pick<ShelfLike, 'editions'>>(
	shelf: Shelf,
	{ editions }: OfflineData,
): Shelf {
	const isStored = ({ key, version }: ShelfLike['editions'][number]) =>
		editions.some((edition) => edition.isWhole && edition.key === key && edition.version === version);
	return { ...shelf, editions: shelf.editions.filter(isStored) };
}
