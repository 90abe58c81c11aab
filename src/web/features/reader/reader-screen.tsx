import { useCallback, useRef } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/connection.ts';
import { isWorkerHere } from '#web/platform/kept/kept-worker.ts';
import { DeniedState, FailedQuery } from '#web/ui/faces.tsx';
import { CopyFace } from './copy-faces.tsx';
import { editionWords, titleOf } from './edition-words.ts';
import { useUnfinishedEditions } from './kept-editions.ts';
import { useLocalPlaces } from './local-places.ts';
import { OpenBook } from './open-book.tsx';
import { useShelf } from './reader.api.ts';
import { BackToDashboard, Face, NoAccess, ToDashboard } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { findEditionKey } from './reading-place.ts';
import type { Carry } from './use-reading-start.ts';

interface ReaderScreenProps {
	/** The edition that the address names. */
	edition: string;
	onEdition: (edition: ShelfEdition) => void;
}

/** The reader: whoever has book access reads; access that ends while the book is open closes it. */
export function ReaderScreen({ edition, onEdition }: ReaderScreenProps) {
	const shelf = useShelf();
	const isLineLost = useIsConnectionLost();
	useUnfinishedEditions(shelf);
	useLocalPlaces(shelf);
	/** Where the next edition is to begin. */
	const carried = useRef<{ to: string; carry: Carry }>(undefined);
	const goTo = useCallback(
		(next: ShelfEdition, carry: Carry | undefined) => {
			carried.current = carry === undefined ? undefined : { to: next.key, carry };
			onEdition(next);
		},
		[onEdition],
	);
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
		// The device shows of the shelf only what is on it.
		const words =
			isLineLost && key !== undefined && isWorkerHere()
				? { title: m.reader_elsewhere_title(), text: m.reader_elsewhere_text() }
				: { title: m.reader_missing_title(), text: m.reader_missing_text() };
		return (
			<Face>
				<DeniedState {...words} action={<ToDashboard />} />
			</Face>
		);
	}
	if (current.copy.state !== 'ready') return <CopyFace copy={current.copy} />;
	const carry = carried.current?.to === current.key ? carried.current.carry : undefined;
	return (
		<OpenBook
			key={current.key}
			document={current}
			title={{ name: titleOf(title, current), language: current.language, note: editionWords(current) }}
			back={<BackToDashboard />}
			denied={<NoAccess />}
			book={{ edition: current, editions, onEdition: goTo }}
			carry={carry}
		/>
	);
}
