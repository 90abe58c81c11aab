import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { newUuid } from '#web/platform/new-uuid.ts';
import { bookmarkOf } from './marks.ts';
import { removeMark, saveMark } from './reading.api.ts';
import type { SelectedText } from './use-text-selection.ts';

interface OpenMarkProps {
	document: string;
	marks: readonly ReadingMark[];
	page: number;
	chapter: string | null;
}

/** The bookmark of the page that is open. */
export interface PageBookmark {
	isSet: boolean;
	toggle: () => void;
}

/** What is done with marks: made of selected text, opened, changed, deleted; and the bookmark of the open page. */
export function useOpenMark({ document, marks, page, chapter }: OpenMarkProps) {
	const save = (mark: Parameters<typeof saveMark>[1]) => saveMark(document, mark);
	const remove = (id: string) => removeMark(document, id);
	const [openId, setOpenId] = useState<string | null>(null);
	const bookmark = bookmarkOf(marks, page);
	return {
		/** The one whose card stands open; null for none. */
		mark: marks.find(({ id }) => id === openId) ?? null,
		open: ({ id }: Pick<ReadingMark, 'id'>) => setOpenId(id),
		close: () => setOpenId(null),
		save: ({ createdAt: _, updatedAt: __, ...mark }: ReadingMark) => save(mark),
		remove: (id: string) => {
			setOpenId(null);
			remove(id);
		},
		highlight: ({ page: on, boxes, quote }: SelectedText, color: ReadingMark['color']) => {
			const id = newUuid();
			save({
				id,
				kind: 'highlight',
				page: on,
				boxes: boxes.slice(0, limits.markBoxesMax),
				quote: quote.slice(0, limits.markQuoteMaxLength),
				note: '',
				color,
				chapter,
			});
			return id;
		},
		bookmark: {
			isSet: bookmark !== undefined,
			toggle: () => {
				if (bookmark !== undefined) return remove(bookmark.id);
				save({
					id: newUuid(),
					kind: 'bookmark',
					page,
					boxes: [],
					quote: '',
					note: '',
					color: 'yellow',
					chapter,
				});
			},
		} satisfies PageBookmark,
	};
}

export type OpenMark = ReturnType<typeof useOpenMark>;
