import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { DeniedState, FailedQuery } from '#web/ui/faces.tsx';
import { OpenBook } from './open-book.tsx';
import { useShelf } from './reader.api.ts';
import { Face, NoAccess, ToDashboard } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { findEditionKey } from './reading-place.ts';

interface ReaderScreenProps {
	/** The edition that the address names. */
	edition: string;
	onEdition: (edition: ShelfEdition) => void;
}

/** The reader: whoever has book access reads; access that ends while the book is open closes it. */
export function ReaderScreen({ edition, onEdition }: ReaderScreenProps) {
	const shelf = useShelf();
	if (shelf.data === undefined) {
		if (shelf.error === null) return <ReaderLoading />;
		return (
			<Face>
				<FailedQuery text={m.reader_shelf_failed()} query={shelf} />
			</Face>
		);
	}
	const { access, editions, title } = shelf.data;
	if (access !== 'open') return <NoAccess />;
	const key = findEditionKey(edition);
	const current = editions.find((each) => each.key === key);
	if (current === undefined) {
		return (
			<Face>
				<DeniedState title={m.reader_missing_title()} text={m.reader_missing_text()} action={<ToDashboard />} />
			</Face>
		);
	}
	return <OpenBook key={current.key} title={title} edition={current} editions={editions} onEdition={onEdition} />;
}
