import { useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, type CallOutputs, client } from '#web/platform/api.ts';
import type { FilePlace } from './file-place.ts';
import { type ListingPage, ListingRows } from './listing-rows.ts';
import { type Listing, type ListingHead, useListing } from './use-listing.ts';

const firstRows = 200;
const can = { write: false };

type TopPage = ListingPage & ListingHead;
type ContentPage = CallOutputs['sharing']['contentMine'] & ListingHead;

function topOf({ items, nextCursor }: CallOutputs['sharing']['listMine']): TopPage {
	return { items: items.map(({ node }) => node), nextCursor, can };
}

/** What is shared with the person, page by page; with a search, everything that they read by shares. */
export function useSharedTop(place: FilePlace): Listing {
	const input = lookOf(place);
	const query = useQuery({
		...api.sharing.listMine.queryOptions({ input: { ...input, limit: firstRows }, structuralSharing: false }),
		select: topOf,
	});
	return useListing(query, {
		folderKey: 'top',
		listKey: JSON.stringify(input),
		begin: (first) =>
			new ListingRows(first, async ({ cursor }) =>
				topOf(await client.sharing.listMine({ ...input, cursor, limit: limits.pageSizeMax })),
			),
		isRenewable: false,
	});
}

/** One shared folder from inside, page by page. A failure of 404: it is shared no longer. */
export function useSharedFolder(id: string, place: FilePlace): Listing<ContentPage> {
	const input = { id, ...lookOf(place) };
	const query = useQuery({
		...api.sharing.contentMine.queryOptions({ input: { ...input, limit: firstRows }, structuralSharing: false }),
		select: contentOf,
		enabled: id !== '',
	});
	return useListing(query, {
		folderKey: id,
		listKey: JSON.stringify(input),
		begin: (first) =>
			new ListingRows(first, ({ cursor }) =>
				client.sharing.contentMine({ ...input, cursor, limit: limits.pageSizeMax }),
			),
		isRenewable: false,
	});
}

function lookOf({ q, type, sort, order }: FilePlace) {
	return { search: q.trim() === '' ? undefined : q.trim(), type, sort, order };
}

function contentOf(page: CallOutputs['sharing']['contentMine']): ContentPage {
	return { ...page, can };
}
