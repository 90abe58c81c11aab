import { useCallback, useRef } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/events/connection-status.ts';
import { isControlledByServiceWorker } from '#web/platform/offline/service-worker-registration.ts';
import { DeniedState, FailedQuery } from '#web/ui/states/states.tsx';
import { useResumeOfflineCopies } from '../offline/offline-copies.ts';
import { useOfflinePositionSync } from '../offline/offline-position-sync.ts';
import { findEditionKey } from '../reading-position/last-read.ts';
import type { EntryPoint } from '../reading-position/use-initial-position.ts';
import { editionLabel, editionTitle } from '../shelf/edition-labels.ts';
import { useShelf } from '../shelf/shelf-api.ts';
import { DocumentReader } from './document-reader.tsx';
import {
	BookAccessDenied,
	DashboardIconLink,
	DashboardLink,
	FullScreenState,
	ReaderLoading,
	WatermarkedCopyScreen,
} from './reader-states.tsx';

interface ReaderScreenProps {
	/** The edition named in the URL. */
	edition: string;
	onEdition: (edition: ShelfEdition) => void;
}

/** The reader, for users with access to the book; it closes when access ends while it is open. */
export function ReaderScreen({ edition, onEdition }: ReaderScreenProps) {
	const shelf = useShelf();
	const isConnectionLost = useIsConnectionLost();
	useResumeOfflineCopies(shelf);
	useOfflinePositionSync(shelf);
	/** Where the next edition begins. */
	const pendingEntryPoint = useRef<{ to: string; carry: EntryPoint }>(undefined);
	const openEdition = useCallback(
		(next: ShelfEdition, carry: EntryPoint | undefined) => {
			pendingEntryPoint.current = carry === undefined ? undefined : { to: next.key, carry };
			onEdition(next);
		},
		[onEdition],
	);
	if (shelf.data === undefined) {
		if (shelf.error === null) return <ReaderLoading />;
		return (
			<FullScreenState>
				<FailedQuery text={m.reader_shelf_failed()} query={shelf} />
			</FullScreenState>
		);
	}
	const { access, editions, title } = shelf.data;
	if (access !== 'open') return <BookAccessDenied />;
	const key = findEditionKey(edition);
	const current = editions.find((each) => each.key === key);
	if (current === undefined) {
		// Offline, the shelf contains only the editions saved on the device.
		const texts =
			isConnectionLost && key !== undefined && isControlledByServiceWorker()
				? { title: m.reader_offline_missing_title(), text: m.reader_offline_missing_text() }
				: { title: m.reader_missing_title(), text: m.reader_missing_text() };
		return (
			<FullScreenState>
				<DeniedState {...texts} action={<DashboardLink />} />
			</FullScreenState>
		);
	}
	if (current.copy.state !== 'ready') return <WatermarkedCopyScreen copy={current.copy} />;
	const carry = pendingEntryPoint.current?.to === current.key ? pendingEntryPoint.current.carry : undefined;
	return (
		<DocumentReader
			key={current.key}
			document={current}
			title={{ name: editionTitle(title, current), language: current.language, note: editionLabel(current) }}
			back={<DashboardIconLink />}
			denied={<BookAccessDenied />}
			book={{ edition: current, editions, onEdition: openEdition }}
			carry={carry}
		/>
	);
}
