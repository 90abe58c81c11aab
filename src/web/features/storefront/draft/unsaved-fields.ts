import * as z from 'zod';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';

const unsavedValue = z.object({
	value: z.unknown(),
	/** The saved value and its version when the admin began to type. */
	base: z.unknown(),
	version: z.number(),
});
export type UnsavedValue = z.infer<typeof unsavedValue>;

/** Keeps typed values that the server does not have yet. */
export interface UnsavedStore {
	read(field: ContentField): UnsavedValue | undefined;
	write(field: ContentField, unsaved: UnsavedValue | null): void;
}

const prefix = 'storefront-unsaved:';

/** Keeps unsaved values in localStorage, so that they survive a reload. */
export function createUnsavedStore(userId: string): UnsavedStore {
	const keyOf = (field: ContentField) => `${prefix}${userId}:${field}`;
	return {
		read: (field) => storage.getJson(keyOf(field), unsavedValue),
		write: (field, unsaved) => storage.set(keyOf(field), unsaved === null ? null : JSON.stringify(unsaved)),
	};
}

// After an expiry the values are kept, because the same user may sign in again. After any other end of the session,
// another user may use this browser.
onSessionEnd((reason) => {
	if (reason !== 'expiry') for (const key of storage.keysStartingWith(prefix)) storage.set(key, null);
});
