import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { groupName } from '#web/ui/data/user-rows.tsx';

const rowsPerPage = 200;

/** Number of rows that are loaded beyond the last visible row. */
const prefetchRows = 60;
/** Number of placeholder rows while more pages can be loaded. */
const placeholderRows = 24;

export type RecipientView = ReturnType<typeof useRecipientView>;

/** Loads the nodes that a recipient sees. `folder`: id of the open folder; '' for the list of all shares. */
export function useRecipientView({ email, folder, q }: { email: string; folder: string; q: string }) {
	const isTop = folder === '';
	const search = q.trim() || undefined;
	const topQuery = useInfiniteQuery(
		api.sharing.list.infiniteOptions({
			...cursorPaging,
			input: (cursor) => ({ email, search, cursor, limit: rowsPerPage }),
			placeholderData: keepPreviousData,
			enabled: isTop,
		}),
	);
	const folderQuery = useInfiniteQuery(
		api.sharing.content.infiniteOptions({
			...cursorPaging,
			input: (cursor) => ({ id: folder, email, search, cursor, limit: rowsPerPage }),
			enabled: !isTop,
		}),
	);
	const query = isTop ? topQuery : folderQuery;
	const shared = new Map(
		topQuery.data?.pages.flatMap(({ items }) => items.map((item) => [item.node.id, item] as const)),
	);
	const content = folderQuery.data?.pages ?? [];
	const nodes = isTop ? [...shared.values()].map(({ node }) => node) : content.flatMap(({ items }) => items);
	const person = isTop ? topQuery.data?.pages[0]?.person : undefined;
	return {
		/** The folders from the outermost one that the recipient may read to the open one. */
		breadcrumb: isTop ? [] : (content[0]?.breadcrumb ?? []),
		/** Number of rows, including placeholders for pages that are not loaded yet. */
		count: nodes.length + (query.hasNextPage ? placeholderRows : 0),
		nodeAt: (index: number) => nodes[index],
		ownerLabelOf: ({ id }: Node) => {
			const owner = isTop ? shared.get(id)?.owner : content[0]?.owner;
			return owner && m.sharing_view_owner({ owner });
		},
		/** Who shared the node, and when. Undefined inside folders and in search results. */
		noteOf: ({ id }: Node) => {
			const item = isTop && q.trim() === '' ? shared.get(id) : undefined;
			if (item === undefined) return undefined;
			const { share, group } = item;
			const reason = m.sharing_reason_own({ who: share.sharedBy, when: formatDateTime(share.sharedAt) });
			return group === null ? reason : `${m.sharing_through_group({ group: groupName(group) })} · ${reason}`;
		},
		onVisibleRange: (_start: number, end: number) => {
			if (end + prefetchRows > nodes.length && query.hasNextPage && !query.isFetching) void query.fetchNextPage();
		},
		isInactive: person?.active === false,
		isAdmin: person?.isAdmin === true,
		query,
	};
}
