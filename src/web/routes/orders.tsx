import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { useCallback, useReducer, useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { ordersCsvAddress, ordersSearch, useLoadedOrders, useOrdersSummary } from '#web/features/orders/orders.api.ts';
import { type BulkPlan, planBulk } from '#web/features/orders/orders-bulk.ts';
import { OrdersBulkBar } from '#web/features/orders/orders-bulk-bar.tsx';
import { BulkDialog } from '#web/features/orders/orders-bulk-dialog.tsx';
import { OrdersChart } from '#web/features/orders/orders-chart.tsx';
import { DeleteOrderDialog } from '#web/features/orders/orders-delete-dialog.tsx';
import { countUnsaved, reduceDrafts, valuesOf } from '#web/features/orders/orders-drafts.ts';
import { OrdersLedger } from '#web/features/orders/orders-ledger.tsx';
import { OrdersList } from '#web/features/orders/orders-list.tsx';
import { NoteDialog } from '#web/features/orders/orders-note-dialog.tsx';
import { ProofsDialog } from '#web/features/orders/orders-proofs-dialog.tsx';
import { useOrderSelection } from '#web/features/orders/orders-selection.ts';
import { UnseenDrafts } from '#web/features/orders/orders-unseen.tsx';
import { StatementDialog } from '#web/features/orders/statement-dialog.tsx';
import { SettingsDialog } from '#web/features/settings/settings-dialog.tsx';
import { formatCount } from '#web/platform/format.ts';
import { useUrlState } from '#web/platform/url-state.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { GoBack } from './go-back.tsx';
import classes from './list-screen.module.css';

/** /Bookdashboard: the desk where payments are looked at and orders completed. */
export function OrdersScreen() {
	const [search, setSearch] = useUrlState(ordersSearch);
	const [drafts, dispatch] = useReducer(reduceDrafts, {});
	const [shown, setShown] = useState<Order>();
	const [noting, setNoting] = useState<Order>();
	const [deleting, setDeleting] = useState<Order>();
	const [bulk, setBulk] = useState<BulkPlan>();
	const selection = useOrderSelection(`${search.status} ${search.search}`);
	const chosen = useLoadedOrders(search).filter(({ id }) => selection.ids.has(id));
	const [isStatementOpen, setStatementOpen] = useState(false);
	const [isSettingsOpen, setSettingsOpen] = useState(false);
	const summary = useOrdersSummary().data;
	const findText = useCallback((text: string) => setSearch({ search: text }), [setSearch]);
	const unsaved = countUnsaved(drafts);
	const countOf = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));
	const exportLink = (className: string | undefined) => (
		<ButtonAnchor
			href={ordersCsvAddress(search)}
			download
			className={className ?? ''}
			icon={<IconDownload {...iconProps} />}
		>
			{m.orders_export()}
		</ButtonAnchor>
	);
	const importButton = (className: string | undefined) => (
		<Button className={className ?? ''} icon={<IconFileImport {...iconProps} />} onClick={() => setStatementOpen(true)}>
			{m.orders_statement()}
		</Button>
	);
	const list = {
		search,
		onClear: () => setSearch({ search: '', status: 'All' }),
		drafts,
		dispatch,
		onShowProofs: setShown,
		onWriteNote: setNoting,
		onDelete: setDeleting,
		selection,
	};
	return (
		<>
			<PageHeader
				back={<GoBack label={m.orders_go_back()} />}
				title={m.screen_orders()}
				actions={
					<>
						{importButton(classes.onDesk)}
						{exportLink(classes.onDesk)}
						<Button onClick={() => setSettingsOpen(true)}>{m.orders_book_dashboard()}</Button>
					</>
				}
			/>
			<div className={classes.page}>
				<OrdersLedger chart={<OrdersChart days={search.days} onChoose={(days) => setSearch({ days })} />} />
				<div className={classes.tools}>
					<SearchField label={m.orders_search()} value={search.search} onChange={findText} />
					<ChipFilter
						label={m.orders_filter()}
						value={search.status}
						onChange={(status) => setSearch({ status }, { isNewStep: true })}
						choices={[
							{ value: 'All', label: m.orders_all() },
							{ value: 'Pending', label: m.orders_pending(), count: countOf(summary?.pending) },
							{ value: 'Complete', label: m.orders_complete(), count: countOf(summary?.complete) },
						]}
					/>
					{importButton(classes.onPhone)}
					{exportLink(classes.onPhone)}
					{unsaved > 0 && (
						<span className={classes.unsavedTools}>
							<span className={classes.unsaved} role="status">
								{m.orders_unsaved({ count: unsaved })}
							</span>
							<Button size="small" variant="quiet" onClick={() => dispatch({ type: 'allDropped' })}>
								{m.orders_discard()}
							</Button>
						</span>
					)}
				</div>
				<UnseenDrafts {...list} />
				<OrdersList {...list} />
				{chosen.length > 0 && (
					<OrdersBulkBar
						count={chosen.length}
						onComplete={() => setBulk(planBulk(chosen, drafts))}
						onClear={selection.clear}
					/>
				)}
			</div>
			<LeaveQuestion isUnsaved={unsaved > 0} detail={m.orders_unsaved({ count: unsaved })} />
			{isStatementOpen && (
				<StatementDialog drafts={drafts} onShowProofs={setShown} onClose={() => setStatementOpen(false)} />
			)}
			{shown !== undefined && (
				<ProofsDialog
					order={shown}
					values={valuesOf(shown, drafts[shown.id])}
					onEdit={(field, value) => dispatch({ type: 'edited', order: shown, field, value })}
					onComplete={() => dispatch({ type: 'edited', order: shown, field: 'status', value: 'Complete' })}
					onClose={() => setShown(undefined)}
				/>
			)}
			{noting !== undefined && <NoteDialog order={noting} onClose={() => setNoting(undefined)} />}
			{deleting !== undefined && (
				<DeleteOrderDialog
					order={deleting}
					onClose={() => setDeleting(undefined)}
					onDeleted={() => dispatch({ type: 'dropped', id: deleting.id })}
				/>
			)}
			{bulk !== undefined && <BulkDialog plan={bulk} onClose={() => setBulk(undefined)} onSettled={selection.drop} />}
			{isSettingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
		</>
	);
}
