import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure, type Failure } from '#web/platform/api/failure.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { useSharedContentOf, useSharesOf } from './api.ts';

/** What a person sees, at the top or in a folder, as far as it has been fetched. */
export interface RecipientView {
	/** From the outermost folder that they may read. */
	breadcrumb: { id: string; name: string }[];
	/** Those still on their way among them. */
	count: number;
	nodeAt: (index: number) => Node | undefined;
	/** The owner of its space. */
	ownerLabelOf: (node: Node) => string | undefined;
	/** Of what shows by itself: who shared it, and when. */
	noteOf: (node: Node) => string | undefined;
	onVisibleRange: (end: number) => void;
	isInactive: boolean;
	isAdmin: boolean;
	failure: Failure | undefined;
	isLoading: boolean;
	isFetching: boolean;
	retry: () => void;
}

/** Rows asked for before one comes to them. */
const prefetchRows = 60;
/** Placeholder rows while the number is unknown. */
const placeholderRows = 24;

/** Reads what a person sees, page by page as one looks. */
export function useRecipientView({ email, folder, q }: { email: string; folder: string; q: string }): RecipientView {
	const rootQuery = useSharesOf(email, q, folder === '');
	const folderQuery = useSharedContentOf(email, folder, q);
	const query = folder === '' ? rootQuery : folderQuery;
	const nodes: Node[] =
		folder === ''
			? (rootQuery.data?.pages.flatMap((page) => page.items.map(({ node }) => node)) ?? [])
			: (folderQuery.data?.pages.flatMap((page) => page.items) ?? []);
	const isRoot = folder === '' && q.trim() === '';
	const shares = new Map(
		isRoot
			? rootQuery.data?.pages.flatMap(({ items }) => items.map(({ node, share }) => [node.id, share] as const))
			: [],
	);
	const owners = new Map(
		rootQuery.data?.pages.flatMap(({ items }) => items.map(({ node, owner }) => [node.id, owner] as const)),
	);
	const ownerOf = (node: Node) => (folder === '' ? owners.get(node.id) : folderQuery.data?.pages[0]?.owner);
	return {
		breadcrumb: folder === '' ? [] : (folderQuery.data?.pages[0]?.breadcrumb ?? []),
		count: nodes.length + (query.hasNextPage ? placeholderRows : 0),
		nodeAt: (index) => nodes[index],
		ownerLabelOf: (node) => {
			const owner = ownerOf(node);
			return owner && m.sharing_view_owner({ owner });
		},
		noteOf: ({ id }) => {
			const share = shares.get(id);
			return share && m.sharing_reason_own({ who: share.sharedBy, when: formatDateTime(share.sharedAt) });
		},
		onVisibleRange: (end) => {
			if (end + prefetchRows > nodes.length && query.hasNextPage && !query.isFetching) void query.fetchNextPage();
		},
		isInactive: folder === '' && rootQuery.data?.pages[0]?.person.active === false,
		isAdmin: folder === '' && rootQuery.data?.pages[0]?.person.isAdmin === true,
		failure: query.error === null ? undefined : describeFailure(query.error),
		isLoading: query.isPending,
		isFetching: query.isFetching,
		retry: () => void query.refetch(),
	};
}
