import { useRef } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/events/connection-status.ts';
import { isControlledByServiceWorker } from '#web/platform/offline/service-worker-registration.ts';
import { DeniedState, FailedQuery } from '#web/ui/states/states.tsx';
import { useOfflineSync } from '../offline/offline-copies.ts';
import type { EntryPoint } from '../reading-position/use-initial-position.ts';
import { editionLabel, editionTitle, findEditionKey } from '../shelf/edition-labels.ts';
import { useShelf } from '../shelf/shelf-api.ts';
import { DocumentReader } from './document-reader.tsx';
import {
	BookAccessDenied,
	DashboardLink,
	FullScreenState,
	ReaderLoading,
	WatermarkedCopyScreen,
} from './reader-states.tsx';

export function ReaderScreen({ edition, onEdition }: { edition: string; onEdition: (edition: ShelfEdition) => void }) {
	const shelf = useShelf();
	const isConnectionLost = useIsConnectionLost();
	useOfflineSync(shelf);
	const pending = useRef<{ edition: string; entryPoint: EntryPoint | undefined }>(undefined);
	const openEdition = (next: ShelfEdition, entryPoint: EntryPoint | undefined) => {
		pending.current = { edition: next.key, entryPoint };
		onEdition(next);
	};
	if (shelf.data === undefined) {
		if (shelf.error === null) return <ReaderLoading />;
		return (
			<FullScreenState>
				<FailedQuery text={m.reader_shelf_failed()} query={shelf} />
			</FullScreenState>
		);
	}
	const { access, editions, offered, title } = shelf.data;
	if (access !== 'open') return <BookAccessDenied />;
	const key = findEditionKey(edition);
	const current = editions.find((shelfEdition) => shelfEdition.key === key);
	if (current === undefined) {
		// Offline, only editions with an offline copy are listed.
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
	return (
		<DocumentReader
			key={current.key}
			document={current}
			title={{ name: editionTitle(title, current), language: current.language, note: editionLabel(offered, current) }}
			back={<DashboardLink isIcon />}
			denied={<BookAccessDenied />}
			book={{ edition: current, editions, offered, onEdition: openEdition }}
			entryPoint={pending.current?.edition === current.key ? pending.current.entryPoint : undefined}
		/>
	);
}
