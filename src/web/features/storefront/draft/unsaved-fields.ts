import type { ContentField } from '#contract/storefront/content-fields.ts';
import { number, object } from '#web/platform/browser/readers.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { deleteStoredOnSessionEnd } from '#web/platform/session/session-end.ts';

export interface UnsavedValue {
	value?: unknown;
	/** The saved value and its version when the admin began to type. */
	base?: unknown;
	version: number;
}
const readUnsaved = (stored: unknown) =>
	object<Pick<UnsavedValue, 'version'>>({ version: number() })(stored) && (stored as UnsavedValue);

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
		get: (field) => storage.getJson(keyOf(field), readUnsaved),
		set: (field, unsaved) => storage.set(keyOf(field), JSON.stringify(unsaved)),
		delete: (field) => storage.set(keyOf(field), null),
	};
}

deleteStoredOnSessionEnd(prefix);
