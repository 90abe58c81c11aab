import { useState } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { limits } from '#contract/core/limits.ts';
import { deleteAnnotation, saveAnnotation } from '../reader/reading-api.ts';
import { findBookmark } from './annotations.ts';
import type { SelectedText } from './use-text-selection.ts';

interface AnnotationActionsOptions {
	document: string;
	annotations: readonly Annotation[];
	page: number;
	chapter: string | null;
}

export function useAnnotationActions({ document, annotations, page, chapter }: AnnotationActionsOptions) {
	const [openId, setOpenId] = useState<string | null>(null);
	const bookmark = findBookmark(annotations, page);
	const add = (added: Pick<Annotation, 'kind' | 'page' | 'boxes' | 'quote' | 'color'>) => {
		const id = newUuid();
		saveAnnotation(document, { id, note: '', chapter, ...added });
		return id;
	};
	return {
		opened: annotations.find(({ id }) => id === openId) ?? null,
		open: ({ id }: Pick<Annotation, 'id'>) => setOpenId(id),
		close: () => setOpenId(null),
		save: ({ createdAt: _, updatedAt: __, ...annotation }: Annotation) => saveAnnotation(document, annotation),
		remove: (id: string) => {
			setOpenId(null);
			deleteAnnotation(document, id);
		},
		highlight: ({ page: selectedPage, boxes, quote }: SelectedText, color: Annotation['color']) =>
			add({
				kind: 'highlight',
				page: selectedPage,
				boxes: boxes.slice(0, limits.highlightRectanglesMax),
				quote: quote.slice(0, limits.highlightQuoteMaxLength),
				color,
			}),
		bookmark: {
			isSet: bookmark !== undefined,
			toggle: () => {
				if (bookmark !== undefined) return deleteAnnotation(document, bookmark.id);
				add({ kind: 'bookmark', page, boxes: [], quote: '', color: 'yellow' });
			},
		},
	};
}

export type AnnotationActions = ReturnType<typeof useAnnotationActions>;

/** Returns a random UUID (RFC 9562, version 4). `crypto.randomUUID` is not available on plain http. */
function newUuid(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
