import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { EntryPoint } from '../../reading-position/use-initial-position.ts';
import type { useOpenDocument } from '../use-open-document.ts';

interface EditionNavigationOptions {
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	openDocument: ReturnType<typeof useOpenDocument>;
	entryPoint: EntryPoint | undefined;
	onEdition: (edition: ShelfEdition, entryPoint?: EntryPoint) => void;
}

/** Navigation from one edition to another. */
export function createEditionNavigation(options: EditionNavigationOptions) {
	const { edition, editions, openDocument, entryPoint, onEdition } = options;
	const neighbour = (step: 1 | -1) =>
		editions.find(({ part, language }) => part === edition.part + step && language === edition.language);
	const [before, next] = [neighbour(-1), neighbour(1)];
	const goBeyond = (step: 1 | -1) => {
		const to = step === 1 ? next : before;
		if (to !== undefined) onEdition(to, step === 1 ? 'first' : 'last');
	};
	return {
		next,
		/** Goes on from the last page, or back from the first; undefined if there is no adjacent part. */
		goBeyond: before || next ? goBeyond : undefined,
		/** Switches the edition; another language of the same part opens at the corresponding position. */
		switchTo: (to: ShelfEdition) => {
			const { place, chapters: outline, pageCount, isOutlineKnown, arrived } = openDocument;
			if (to.part !== edition.part || place === null || !isOutlineKnown) return onEdition(to);
			const isBack = typeof entryPoint === 'object' && entryPoint.edition.key === to.key;
			const returnPosition = isBack && arrived.current?.page === place.page ? entryPoint.position : undefined;
			onEdition(to, { edition, outline, pageCount, position: place, returnPosition });
		},
	};
}
