import type { OfferedEditions } from '#contract/book/editions.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { EntryPoint } from '../../reading-position/use-initial-position.ts';
import type { useOpenDocument } from '../use-open-document.ts';

export interface OpenBook {
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	offered: OfferedEditions;
	onEdition: (edition: ShelfEdition, entryPoint?: EntryPoint) => void;
}

interface EditionNavigationOptions extends OpenBook {
	openDocument: ReturnType<typeof useOpenDocument>;
	entryPoint: EntryPoint | undefined;
}

export function createEditionNavigation(options: EditionNavigationOptions) {
	const { edition, editions, openDocument, entryPoint, onEdition } = options;
	const findAdjacentPart = (step: 1 | -1) =>
		editions
			.filter(({ part, language }) => language === edition.language && (part - edition.part) * step > 0)
			.toSorted((a, b) => (a.part - b.part) * step)[0];
	const [previous, next] = [findAdjacentPart(-1), findAdjacentPart(1)];
	const goBeyond = (step: 1 | -1) => {
		const to = step === 1 ? next : previous;
		if (to !== undefined) onEdition(to, step === 1 ? 'first' : 'last');
	};
	return {
		next,
		/** Opens the next part after the last page, or the previous part before the first page; undefined without either. */
		goBeyond: previous || next ? goBeyond : undefined,
		/** Opens another edition. If only the language changes, the edition opens at the corresponding position. */
		switchTo: (to: ShelfEdition) => {
			const { place, chapters: outline, pageCount, isOutlineKnown, initialPosition } = openDocument;
			if (to.part !== edition.part || place === null || !isOutlineKnown) return onEdition(to);
			const isSwitchingBack = typeof entryPoint === 'object' && entryPoint.edition.key === to.key;
			const returnPosition =
				isSwitchingBack && initialPosition.current?.page === place.page ? entryPoint.position : undefined;
			onEdition(to, { edition, outline, pageCount, position: place, returnPosition });
		},
	};
}
