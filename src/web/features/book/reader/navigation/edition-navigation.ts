import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { EntryPoint } from '../../reading-position/use-initial-position.ts';
import type { useOpenDocument } from '../use-open-document.ts';

interface EditionNavigationOptions {
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	openDocument: ReturnType<typeof useOpenDocument>;
	/** How this edition was opened from another. */
	entryPoint: EntryPoint | undefined;
	onEdition: (edition: ShelfEdition, carry?: EntryPoint) => void;
}

/** Navigation from one edition to another. */
export function createEditionNavigation({
	edition,
	editions,
	openDocument: open,
	entryPoint: carry,
	onEdition,
}: EditionNavigationOptions) {
	const neighbour = (step: 1 | -1) =>
		editions.find(({ part, language }) => part === edition.part + step && language === edition.language);
	const [before, next] = [neighbour(-1), neighbour(1)];
	return {
		/** The next part in the same language. */
		next,
		/** Goes on from the last page, or back from the first; undefined if there is no adjacent part. */
		goBeyond:
			before || next
				? (step: 1 | -1) => {
						const to = step === 1 ? next : before;
						if (to !== undefined) onEdition(to, step === 1 ? 'first' : 'last');
					}
				: undefined,
		/** Switches the edition; another language of the same part opens at the corresponding position. */
		switchTo: (to: ShelfEdition) => {
			const { place, chapters: outline, pageCount, isOutlineKnown, arrived } = open;
			if (to.part !== edition.part || place === null || !isOutlineKnown) return onEdition(to);
			const isBack = typeof carry === 'object' && carry.edition.key === to.key && arrived.current?.page === place.page;
			onEdition(to, {
				edition,
				outline,
				pageCount,
				position: place,
				returnPosition: isBack ? carry.position : undefined,
			});
		},
	};
}
