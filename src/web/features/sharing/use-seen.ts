import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import { formatDateTime } from '#web/platform/format.ts';
import { useSharedContentOf, useSharesOf } from './sharing.api.ts';

/** What a person sees, at the top or in a folder, as far as it has been fetched. */
export interface Seen {
	/** From the outermost folder that they may read. */
	breadcrumb: { id: string; name: string }[];
	/** Those still on their way among them. */
	count: number;
	nodeAt: (index: number) => Node | undefined;
	/** In whose storage it lies. */
	storageOf: (node: Node) => string | undefined;
	/** Of what shows by itself: who shared it, and when. */
	noteOf: (node: Node) => string | undefined;
	onLook: (end: number) => void;
	isInactive: boolean;
	isAdmin: boolean;
	failure: Failure | undefined;
	isLoading: boolean;
	isFetching: boolean;
	retry: () => void;
}

/** Rows asked for before one comes to them. */
const aheadRows = 60;
/** Room for what is on its way, nobody knows how much. */
const roomForMore = 24;

/** Reads what a person sees, page by page as one looks. */
export function useSeen({ email, folder, q }: { email: string; folder: string; q: string }): Seen {
	const top = useSharesOf(email, q, folder === '');
	const inside = useSharedContentOf(email, folder, q);
	const query = folder === '' ? top : inside;
	const nodes: Node[] =
		folder === ''
			? (top.data?.pages.flatMap((page) => page.items.map(({ node }) => node)) ?? [])
			: (inside.data?.pages.flatMap((page) => page.items) ?? []);
	const isTop = folder === '' && q.trim() === '';
	const shares = new Map(
		isTop ? top.data?.pages.flatMap(({ items }) => items.map(({ node, share }) => [node.id, share] as const)) : [],
	);
	const owners = new Map(
		top.data?.pages.flatMap(({ items }) => items.map(({ node, owner }) => [node.id, owner] as const)),
	);
	const ownerOf = (node: Node) => (folder === '' ? owners.get(node.id) : inside.data?.pages[0]?.owner);
	return {
		breadcrumb: folder === '' ? [] : (inside.data?.pages[0]?.breadcrumb ?? []),
		count: nodes.length + (query.hasNextPage ? roomForMore : 0),
		nodeAt: (index) => nodes[index],
		storageOf: (node) => {
			const owner = ownerOf(node);
			return owner && m.sharing_seen_storage({ owner });
		},
		noteOf: ({ id }) => {
			const share = shares.get(id);
			return share && m.sharing_why_own({ who: share.sharedBy, when: formatDateTime(share.sharedAt) });
		},
		onLook: (end) => {
			if (end + aheadRows > nodes.length && query.hasNextPage && !query.isFetching) void query.fetchNextPage();
		},
		isInactive: folder === '' && top.data?.pages[0]?.person.active === false,
		isAdmin: folder === '' && top.data?.pages[0]?.person.isAdmin === true,
		failure: query.error === null ? undefined : describeFailure(query.error),
		isLoading: query.isPending,
		isFetching: query.isFetching,
		retry: () => void query.refetch(),
	};
}
