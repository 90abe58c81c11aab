import type { Reader } from './readers.ts';

/** Wraps a browser storage so that it never throws. If the storage is full or disabled, nothing is stored. */
function createSafeStorage(getStorage: () => Storage) {
	function attempt<T>(work: (unsafe: Storage) => T): T | undefined {
		try {
			return work(getStorage());
		} catch {
			return undefined;
		}
	}
	return {
		get: (key: string): string | null => attempt((unsafe) => unsafe.getItem(key)) ?? null,
		/** Returns undefined if the value is missing or is not what `read` reads. */
		getJson: <T>(key: string, read: Reader<T>): T | undefined =>
			attempt((unsafe) => read(JSON.parse(unsafe.getItem(key) ?? ''))),
		set: (key: string, value: string | null): void =>
			attempt((unsafe) => (value === null ? unsafe.removeItem(key) : unsafe.setItem(key, value))),
		keysStartingWith: (prefix: string): string[] =>
			attempt((unsafe) => Object.keys(unsafe).filter((key) => key.startsWith(prefix))) ?? [],
	};
}

export type SafeStorage = ReturnType<typeof createSafeStorage>;

/** Storage of all tabs of this browser. */
export const storage = createSafeStorage(() => localStorage);

/** Storage of this tab, which survives a reload. */
export const tabStorage = createSafeStorage(() => sessionStorage);
