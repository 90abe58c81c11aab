import {
	type InfiniteData,
	keepPreviousData,
	useInfiniteQuery,
	useMutation,
	useQuery,
	useQueryClient,
} from '@tanstack/react-query';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { type Order, ordersCsvPath } from '#contract/orders/orders.ts';
import { type StatementAnswer, type StatementColumns, statementPath } from '#contract/orders/statement-import.ts';
import { m } from '#messages';
import { api, type CallInputs, type CallOutputs } from '#web/platform/api/client.ts';
import { describeFailure, readFailedCall } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

const pageSize = 50;

/** Search parameters of /Bookdashboard. */
export const ordersSearch = z.object({
	search: z.string().default(''),
	status: z.enum(['All', 'Pending', 'Complete']).default('All'),
	/** Number of days in the chart: a number in the URL, as users would type it. */
	days: z.preprocess(String, z.enum(['7', '30', '90'])).default('30'),
});
export type OrdersSearch = z.infer<typeof ordersSearch>;

type OrdersPage = CallOutputs['orders']['list'];

/** Returns orders, newest first, page by page; the previous rows stay visible while others load. */
export function useOrders({ search, status }: Pick<OrdersSearch, 'search' | 'status'>) {
	return useInfiniteQuery(
		api.orders.list.infiniteOptions({
			input: (cursor: string | undefined) => ({ search: search || undefined, status, cursor, limit: pageSize }),
			initialPageParam: undefined as string | undefined,
			getNextPageParam: (page: OrdersPage) => page.nextCursor ?? undefined,
			placeholderData: keepPreviousData,
		}),
	);
}

/** Returns one order as it is now; fails with ORDER_GONE when it was deleted. */
export function useOrder(id: string) {
	return useQuery({ ...api.orders.get.queryOptions({ input: { id } }), retry: false });
}

/** Returns the orders of {@link useOrders} that have loaded so far. */
export function useLoadedOrders(search: OrdersSearch): Order[] {
	return useOrders(search).data?.pages.flatMap((page) => page.items) ?? [];
}

/** Returns counts and sums for the tiles. */
export function useOrdersSummary() {
	return useQuery(api.orders.summary.queryOptions());
}

/** Returns the sales of the last days; the previous ones stay visible while others load. */
export function useSalesByDay(days: number) {
	return useQuery(api.orders.days.queryOptions({ input: { days }, placeholderData: keepPreviousData }));
}

/** Returns the URL of the filtered list as a CSV file. */
export function ordersCsvUrl({ search, status }: OrdersSearch): string {
	const query = new URLSearchParams({
		...(search !== '' && { search }),
		...(status !== 'All' && { status }),
	}).toString();
	return query === '' ? ordersCsvPath : `${ordersCsvPath}?${query}`;
}

/** Returns the payment proofs of one order, newest first. */
export function useProofs(orderId: string) {
	return useQuery(api.orders.proofs.queryOptions({ input: { id: orderId } }));
}

/** Saves a row. The result is shown in every list at once; after a refusal the current values are loaded. */
export function useUpdateOrder() {
	const queryClient = useQueryClient();
	return useMutation(
		api.orders.update.mutationOptions({
			onSuccess: (saved: Order) => {
				queryClient.setQueriesData<InfiniteData<OrdersPage>>({ queryKey: api.orders.list.key() }, (data) =>
					data === undefined ? undefined : replaceOrder(data, saved),
				);
				toastSuccess(m.orders_updated());
				void queryClient.invalidateQueries({ queryKey: api.orders.key() });
			},
			onError: (error) => {
				toastError(m.orders_update_failed());
				if (describeFailure(error).status !== 422) void queryClient.invalidateQueries({ queryKey: api.orders.key() });
			},
		}),
	);
}

/** Sets orders to Complete in batches; `onItems` is called after each. Rejects at the first batch that fails. */
export function useCompleteOrders() {
	const queryClient = useQueryClient();
	const { mutateAsync } = useMutation(api.orders.complete.mutationOptions());
	return async (
		orders: CallInputs['orders']['complete']['orders'],
		onItems: (items: CallOutputs['orders']['complete']['items']) => void,
	) => {
		try {
			for (let start = 0; start < orders.length; start += limits.ordersPerCallMax) {
				const batch = orders.slice(start, start + limits.ordersPerCallMax);
				onItems((await mutateAsync({ orders: batch })).items);
			}
		} finally {
			void queryClient.invalidateQueries({ queryKey: api.chatPerson.key() });
			void queryClient.invalidateQueries({ queryKey: api.orders.key() });
		}
	};
}

/** Compares a statement with the orders. `columns` is sent if the admin has named them. */
export function useImportStatement() {
	return useMutation({ mutationFn: importStatement });
}

interface StatementToImport {
	file: File;
	columns?: StatementColumns | undefined;
}

async function importStatement({ file, columns }: StatementToImport): Promise<StatementAnswer> {
	const body = new FormData();
	body.append('file', file);
	const query = new URLSearchParams();
	for (const [name, index] of Object.entries(columns ?? {})) if (index !== undefined) query.set(name, String(index));
	const headers = { Accept: 'application/json' };
	const response = await fetch(`${statementPath}?${query}`, { method: 'POST', body, headers });
	if (!response.ok) throw await readFailedCall(response);
	return response.json();
}

/** Saves a note to the buyer, or requests a new proof. Errors are shown in the dialog. */
export function useSaveOrderNote() {
	const queryClient = useQueryClient();
	return useMutation(
		api.orders.writeNote.mutationOptions({
			onSuccess: (_saved, { isProofWanted }) =>
				toastSuccess(isProofWanted ? m.orders_note_asked() : m.orders_note_saved()),
			onSettled: () => queryClient.invalidateQueries({ queryKey: api.orders.key() }),
		}),
	);
}

/** Deletes an order permanently. */
export function useDeleteOrder() {
	const queryClient = useQueryClient();
	return useMutation(
		api.orders.remove.mutationOptions({
			onSuccess: () => toastSuccess(m.orders_deleted()),
			onError: () => toastError(m.orders_delete_failed()),
			onSettled: () => queryClient.invalidateQueries({ queryKey: api.orders.key() }),
		}),
	);
}

function replaceOrder(data: InfiniteData<OrdersPage>, saved: Order): InfiniteData<OrdersPage> {
	const replace = (order: Order) => (order.id === saved.id ? saved : order);
	return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) };
}
