import * as z from 'zod/mini';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { deleteStoredOnSessionEnd } from '#web/platform/session/session-end.ts';

const unsavedValue = z.object({
	value: z.unknown(),
	/** The saved value and its version when the admin began to type. */
	base: z.unknown(),
	version: z.number(),
});
export type UnsavedValue = z.infer<typeof unsavedValue>;

/** Keeps typed values that the server does not have yet. */
export interface UnsavedStore {
	get(field: ContentField): UnsavedValue | undefined;
	set(field: ContentField, unsaved: UnsavedValue): unknown;
	delete(field: ContentField): unknown;
}

const prefix = 'storefront-unsaved:';

/** Keeps unsaved values in localStorage, so that they survive a reload. */
export function createUnsavedStore(userId: string): UnsavedStore {
	const keyOf = (field: ContentField) => `${prefix}${userId}:${field}`;
	return {
		get: (field) => storage.getJson(keyOf(field), unsavedValue),
		set: (field, unsaved) => storage.set(keyOf(field), JSON.stringify(unsaved)),
		delete: (field) => storage.set(keyOf(field), null),
	};
}

deleteStoredOnSessionEnd(prefix);
