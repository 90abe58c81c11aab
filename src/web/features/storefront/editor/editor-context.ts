import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Locale } from '#contract/core/text.ts';
import type { StorefrontImage } from '#contract/storefront/content.ts';
import type { ContentField, ContentValue } from '#contract/storefront/content-fields.ts';
import { api } from '#web/platform/api/client.ts';
import type { DraftOverview, DraftSaver } from '../draft/draft-saver.ts';

interface Editor {
	saver: DraftSaver;
	/** Language of the edited texts and of the preview. */
	language: Locale;
	/** Uploaded pictures by ID. */
	images: ReadonlyMap<string, StorefrontImage>;
	addImage: (image: StorefrontImage) => void;
	/** Scrolls the preview to an element of the page. */
	reveal: (selector: string) => void;
}

/** A new value, or a function of the present value, which may have changed during an upload. */
export type Change<Value> = Value | ((current: Value) => Value);

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
	const editor = useContext(EditorContext);
	if (editor === null) throw new Error('useEditor must be used below the storefront editor.');
	return editor;
}

/** A field of the draft, with what the admin has typed. */
export function useField<Field extends ContentField>(field: Field) {
	const { saver } = useEditor();
	const state = useSyncExternalStore(saver.subscribe, () => saver.get(field));
	if (state === undefined) throw new Error(`The draft has no field ${field}.`);
	type Value = ContentValue<Field>;
	return {
		...state,
		value: state.value as Value,
		defaultValue: state.saved.default as Value,
		change: (next: Change<Value>) => {
			const current = saver.get(field)?.value as Value;
			saver.edit(field, typeof next === 'function' ? (next as (current: Value) => Value)(current) : next);
		},
	};
}

/** Languages of the storefront in the draft. */
export function useStorefrontLanguages(): readonly Locale[] {
	return useField('languages').value;
}

export function useDraftOverview(saver: DraftSaver): DraftOverview {
	return useSyncExternalStore(saver.subscribe, saver.overview);
}

/** Title of the book in the language that is edited; undefined until it has loaded. */
export function useBookTitle(): string | undefined {
	const { language } = useEditor();
	const ownTitle = useField('book.title').value[language];
	const { data } = useQuery(api.bookSettings.get.queryOptions());
	return ownTitle === '' ? data?.title : ownTitle;
}
