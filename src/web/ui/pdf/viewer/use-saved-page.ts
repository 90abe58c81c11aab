import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#web/platform/api/client.ts';
import { laterPosition, readLocalPosition } from '#web/platform/browser/local-reading-position.ts';
import { useMe } from '#web/platform/session/session.ts';

/**
 * The page at which the person is in a document: on whichever device, or in this browser if that was later; 1 in what was
 * never read, or has no place (null).
 * @returns undefined until it is known
 */
export function useSavedPage(documentId: string | null): number | undefined {
	const me = useMe();
	const reading = useQuery({
		...api.reading.get.queryOptions({ input: { document: documentId ?? '' } }),
		enabled: documentId !== null,
		staleTime: 0,
		gcTime: 0,
		// Nobody waits for a place.
		retry: false,
	});
	const [local] = useState(() =>
		documentId === null ? undefined : readLocalPosition(window.localStorage, me.id, documentId),
	);
	const [page, setPage] = useState(documentId === null ? 1 : undefined);
	// Once: what another device does turns no page here.
	if (page === undefined && !reading.isPending) setPage(laterPosition(reading.data?.place ?? null, local)?.page ?? 1);
	return page;
}
