import type * as z from 'zod';

/** Local storage that never throws. If local storage is full or disabled, nothing is stored. */
export const storage = {
	get(key: string): string | null {
		try {
			return localStorage.getItem(key);
		} catch {
			return null;
		}
	},

	/** Returns undefined if the value is missing or does not match the schema. */
	getJson<S extends z.ZodType>(key: string, schema: S): z.output<S> | undefined {
		try {
			return schema.parse(JSON.parse(storage.get(key) ?? ''));
		} catch {
			return undefined;
		}
	},

	set(key: string, value: string | null): void {
		try {
			if (value === null) localStorage.removeItem(key);
			else localStorage.setItem(key, value);
		} catch {}
	},

	keysStartingWith(prefix: string): string[] {
		try {
			return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
		} catch {
			return [];
		}
	},
};
