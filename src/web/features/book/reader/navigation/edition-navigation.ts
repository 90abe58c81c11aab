import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { EntryPoint } from '../../reading-position/use-initial-position.ts';
import type { useOpenDocument } from '../use-open-document.ts';

interface EditionNavigationOptions {
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	openDocument: ReturnType<typeof useOpenDocument>;
	/** How one came to this one. */
	entryPoint: EntryPoint | undefined;
	onEdition: (edition: ShelfEdition, carry?: EntryPoint) => void;
}

/** The ways from one edition to another. */
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
		/** The part that follows in the same language. */
		next,
		/** From the last page on, from the first back; undefined where nothing is beyond. */
		goBeyond:
			before || next
				? (step: 1 | -1) => {
						const to = step === 1 ? next : before;
						if (to !== undefined) onEdition(to, step === 1 ? 'first' : 'last');
					}
				: undefined,
		/** Another language of the same part goes on where this one is. */
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
