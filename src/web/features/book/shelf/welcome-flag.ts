type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Where a browser remembers that a person has seen the welcome. Source: the specification's section 2. */
export function welcomeKey(uid: string): string {
	return `welcome_seen_${uid}`;
}

/** Whether this person put the welcome away for good in this browser. */
export function hasSeenWelcome(store: Store, uid: string): boolean {
	try {
		return store.getItem(welcomeKey(uid)) !== null;
	} catch {
		return false;
	}
}

/** Puts the welcome away for good; where storage is off, it comes again. */
export function rememberWelcome(store: Store, uid: string): void {
	try {
		store.setItem(welcomeKey(uid), 'true');
	} catch {
		// A full or forbidden store must not keep anybody from their files.
	}
}
