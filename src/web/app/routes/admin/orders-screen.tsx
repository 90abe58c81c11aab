import { Flex, Group } from '@mantine/core';
import { IconCheck, IconDownload, IconFileImport, IconTestPipe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useReducer, useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { SavedFiltersMenu } from '#web/features/accounts/saved-filters/saved-filters-menu.tsx';
import { type BulkCompletePlan, planBulkComplete } from '#web/features/orders/bulk-complete/bulk-complete.ts';
import { countUnsaved, draftValues, reduceDrafts } from '#web/features/orders/management/order-drafts.ts';
import { type PaymentUse, useSaveOrder } from '#web/features/orders/management/order-row.ts';
import { useOrderSelection } from '#web/features/orders/management/order-selection.ts';
import { HiddenDrafts, OrdersList } from '#web/features/orders/management/orders-list.tsx';
import { ordersCsvUrl, ordersFilter, ordersSearch, useLoadedOrders } from '#web/features/orders/orders-api.ts';
import { OrdersSummary, SalesChart } from '#web/features/orders/summary/orders-summary.tsx';
import { api } from '#web/platform/api/client.ts';
import { oneOf, orElse, stateOf } from '#web/platform/browser/readers.ts';
import { formatState, parseState, useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { SelectionBar } from '#web/ui/data/selection-bar.tsx';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SelectField } from '#web/ui/forms/field.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { GoBackButton } from '#web/ui/layout/page-header.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import classes from '../list-screen.module.css';

const BookSettingsDialog = dialogOnDemand(
	() => import('#web/features/book/settings/book-settings-dialog.tsx'),
	'BookSettingsDialog',
);
const BulkCompleteDialog = dialogOnDemand(
	() => import('#web/features/orders/bulk-complete/bulk-complete-dialog.tsx'),
	'BulkCompleteDialog',
);
const loadOrderDialogs = () => import('#web/features/orders/management/order-dialogs.tsx');
const NoteDialog = dialogOnDemand(() => loadOrderDialogs().then((file) => ({ Dialog: file.NoteDialog })), 'Dialog');
const DeleteOrderDialog = dialogOnDemand(
	() => loadOrderDialogs().then((file) => ({ Dialog: file.DeleteOrderDialog })),
	'Dialog',
);
const PaymentUsedDialog = dialogOnDemand(
	() => loadOrderDialogs().then((file) => ({ Dialog: file.PaymentUsedDialog })),
	'Dialog',
);
const PaymentProofsDialog = dialogOnDemand(
	() => import('#web/features/orders/payment-proofs/payment-proofs-dialog.tsx'),
	'PaymentProofsDialog',
);
const StatementDialog = dialogOnDemand(
	() => import('#web/features/orders/statement-import/statement-dialog.tsx'),
	'StatementDialog',
);
const TestPurchaseDialog = dialogOnDemand(
	() => import('#web/features/orders/test-purchase/test-purchase-dialog.tsx'),
	'TestPurchaseDialog',
);

/** A dialog that a link opens with the screen, for example one of the first steps. */
const dialogSearch = stateOf({ dialog: orElse(oneOf(['none', 'book', 'editions', 'test']), 'none') });

export function OrdersScreen() {
	const [search, setSearch] = useUrlState(ordersSearch);
	const [drafts, dispatch] = useReducer(reduceDrafts, {});
	const [proofsDialogOrder, setProofsDialogOrder] = useState<Order>();
	const [noteDialogOrder, setNoteDialogOrder] = useState<Order>();
	const [deleteDialogOrder, setDeleteDialogOrder] = useState<Order>();
	const [completePlan, setCompletePlan] = useState<BulkCompletePlan>();
	const selection = useOrderSelection(`${search.status} ${search.search}`);
	const chosen = useLoadedOrders(search).filter(({ id }) => selection.ids.has(id));
	const [{ dialog: linkedDialog }, setLinkedDialog] = useUrlState(dialogSearch);
	const [openDialog, setOpenDialog] = useState<typeof linkedDialog | 'statement'>(linkedDialog);
	const closeDialog = () => {
		setOpenDialog('none');
		if (linkedDialog !== 'none') setLinkedDialog({ dialog: 'none' });
	};
	const [paymentUse, setPaymentUse] = useState<PaymentUse>();
	const { save: saveOrder } = useSaveOrder({ dispatch, onPaymentUsed: setPaymentUse });
	const summary = useQuery(api.orders.summary.queryOptions()).data;
	const unsaved = countUnsaved(drafts);
	const countOf = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));
	const exportLink = (className: string | undefined) => (
		<ButtonAnchor href={ordersCsvUrl(search)} download className={className} icon={IconDownload}>
			{m.orders_export()}
		</ButtonAnchor>
	);
	const importButton = (className: string | undefined) => (
		<Button className={className} icon={IconFileImport} onClick={() => setOpenDialog('statement')}>
			{m.orders_statement()}
		</Button>
	);
	const list = {
		search,
		onPage: (page: number) => setSearch({ page }),
		onClear: () => setSearch({ search: '', status: 'All', page: 1 }, { isNewStep: true }),
		drafts,
		dispatch,
		onShowProofs: setProofsDialogOrder,
		onWriteNote: setNoteDialogOrder,
		onDelete: setDeleteDialogOrder,
		onPaymentUsed: setPaymentUse,
		selection,
	};
	return (
		<ListScreen
			back={<GoBackButton label={m.orders_go_back()} />}
			title={m.screen_orders()}
			actions={
				<>
					{importButton(classes.onDesktop)}
					{exportLink(classes.onDesktop)}
					<Button onClick={() => setOpenDialog('book')}>{m.orders_book_dashboard()}</Button>
				</>
			}
		>
			<OrdersSummary chart={<SalesChart days={search.days} onChoose={(days) => setSearch({ days })} />} />
			<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
				<SearchField
					label={m.orders_search()}
					value={search.search}
					onChange={(text) => setSearch({ search: text, page: 1 })}
				/>
				<ChipFilter
					label={m.orders_filter()}
					value={search.status}
					onChange={(status) => setSearch({ status, page: 1 }, { isNewStep: true })}
					choices={[
						{ value: 'All', label: m.orders_all() },
						{ value: 'Pending', label: m.orders_pending(), count: countOf(summary?.pending) },
						{ value: 'Complete', label: m.orders_complete(), count: countOf(summary?.complete) },
					]}
				/>
				<SelectField
					aria-label={m.orders_sort()}
					data={[
						{ value: 'newest', label: m.orders_sort_newest() },
						{ value: 'oldest', label: m.orders_sort_oldest() },
					]}
					value={search.sort}
					onChange={({ currentTarget: { value } }) =>
						setSearch({ sort: value === 'oldest' ? value : 'newest', page: 1 }, { isNewStep: true })
					}
				/>
				<SavedFiltersMenu
					list="orders"
					query={formatState(ordersFilter, search)}
					normalize={(saved) => formatState(ordersFilter, parseState(ordersFilter, saved))}
					onApply={(saved) => setSearch({ ...parseState(ordersFilter, saved), page: 1 }, { isNewStep: true })}
				/>
				{importButton(classes.onPhone)}
				{exportLink(classes.onPhone)}
				<Button variant="quiet" icon={IconTestPipe} onClick={() => setOpenDialog('test')}>
					{m.test_purchase()}
				</Button>
				{unsaved > 0 && (
					<Group gap={8} ml="auto" wrap="nowrap">
						<span className={classes.unsaved} role="status">
							{m.orders_unsaved({ count: unsaved })}
						</span>
						<Button size="small" variant="quiet" onClick={() => dispatch({ type: 'allDropped' })}>
							{m.orders_discard()}
						</Button>
					</Group>
				)}
			</Flex>
			<HiddenDrafts {...list} />
			<OrdersList {...list} />
			{chosen.length > 0 && (
				<SelectionBar
					labels={{ bar: m.orders_selection(), clear: m.orders_clear_selection() }}
					text={m.orders_selected({ count: formatCount(chosen.length) })}
					actions={[
						{
							label: m.orders_set_complete(),
							icon: IconCheck,
							onClick: () => setCompletePlan(planBulkComplete(chosen, drafts)),
						},
					]}
					onClear={selection.clear}
				/>
			)}
			<UnsavedChangesGuard isUnsaved={unsaved > 0} detail={m.orders_unsaved({ count: unsaved })} />
			{openDialog === 'statement' && (
				<StatementDialog drafts={drafts} onShowProofs={setProofsDialogOrder} onClose={closeDialog} />
			)}
			{proofsDialogOrder !== undefined && (
				<PaymentProofsDialog
					order={proofsDialogOrder}
					values={draftValues(proofsDialogOrder, drafts[proofsDialogOrder.id])}
					onEdit={(field, value) => dispatch({ type: 'edited', order: proofsDialogOrder, field, value })}
					onComplete={() => saveOrder(proofsDialogOrder, drafts[proofsDialogOrder.id], { status: 'Complete' })}
					onClose={() => setProofsDialogOrder(undefined)}
				/>
			)}
			{noteDialogOrder !== undefined && (
				<NoteDialog order={noteDialogOrder} onClose={() => setNoteDialogOrder(undefined)} />
			)}
			{paymentUse !== undefined && (
				<PaymentUsedDialog
					use={paymentUse}
					onConfirm={() => {
						const { order, draft, changes, failure } = paymentUse;
						setPaymentUse(undefined);
						saveOrder(order, draft, changes, failure.fields.usedBy);
					}}
					onClose={() => setPaymentUse(undefined)}
				/>
			)}
			{deleteDialogOrder !== undefined && (
				<DeleteOrderDialog
					order={deleteDialogOrder}
					onClose={() => setDeleteDialogOrder(undefined)}
					onDeleted={() => dispatch({ type: 'dropped', id: deleteDialogOrder.id })}
				/>
			)}
			{completePlan !== undefined && (
				<BulkCompleteDialog plan={completePlan} onClose={() => setCompletePlan(undefined)} onSettled={selection.drop} />
			)}
			{(openDialog === 'book' || openDialog === 'editions') && (
				<BookSettingsDialog isAtEditions={openDialog === 'editions'} onClose={closeDialog} />
			)}
			{openDialog === 'test' && <TestPurchaseDialog onClose={closeDialog} />}
		</ListScreen>
	);
}
