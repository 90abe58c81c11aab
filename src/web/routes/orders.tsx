import { useCallback, useReducer, useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { ordersSearch, useOrdersSummary } from '#web/features/orders/orders.api.ts';
import { DeleteOrderDialog } from '#web/features/orders/orders-delete-dialog.tsx';
import { countUnsaved, reduceDrafts } from '#web/features/orders/orders-drafts.ts';
import { LeaveGuard } from '#web/features/orders/orders-leave-guard.tsx';
import { OrdersLedger } from '#web/features/orders/orders-ledger.tsx';
import { OrdersList } from '#web/features/orders/orders-list.tsx';
import { NoteDialog } from '#web/features/orders/orders-note-dialog.tsx';
import { ProofsDialog } from '#web/features/orders/orders-proofs-dialog.tsx';
import { SettingsDialog } from '#web/features/settings/settings-dialog.tsx';
import { formatCount } from '#web/platform/format.ts';
import { useUrlState } from '#web/platform/url-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
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
	const [isSettingsOpen, setSettingsOpen] = useState(false);
	const summary = useOrdersSummary().data;
	const findText = useCallback((text: string) => setSearch({ search: text }), [setSearch]);
	const unsaved = countUnsaved(drafts);
	const countOf = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));
	return (
		<>
			<PageHeader
				back={<GoBack label={m.orders_go_back()} />}
				title={m.screen_orders()}
				actions={<Button onClick={() => setSettingsOpen(true)}>{m.orders_book_dashboard()}</Button>}
			/>
			<div className={classes.page}>
				<OrdersLedger />
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
				<OrdersList
					search={search}
					onClear={() => setSearch({ search: '', status: 'All' })}
					drafts={drafts}
					dispatch={dispatch}
					onShowProofs={setShown}
					onWriteNote={setNoting}
					onDelete={setDeleting}
				/>
			</div>
			<LeaveGuard unsaved={unsaved} />
			{shown !== undefined && <ProofsDialog order={shown} onClose={() => setShown(undefined)} />}
			{noting !== undefined && <NoteDialog order={noting} onClose={() => setNoting(undefined)} />}
			{deleting !== undefined && (
				<DeleteOrderDialog
					order={deleting}
					onClose={() => setDeleting(undefined)}
					onDeleted={() => dispatch({ type: 'dropped', id: deleting.id })}
				/>
			)}
			{isSettingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
		</>
	);
}
