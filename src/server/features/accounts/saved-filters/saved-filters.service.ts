import type { FilteredList, savedFilters } from '#contract/accounts/saved-filters.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from './saved-filters.queries.ts';

export async function listSavedFilters(deps: Deps, { actor }: MemberCaller, list: FilteredList) {
	return { items: await queries.listSavedFilters(deps.db, actor.userId, list) };
}

/** @throws AppError FILTER_NAME_IN_USE, TOO_MANY_SAVED_FILTERS */
export function createSavedFilter(deps: Deps, caller: MemberCaller, input: InputOf<typeof savedFilters.add>) {
	const { list, name, query } = input;
	return changeFilters(deps, caller, async (tx, userId) => {
		const nameKey = await requireFreeName(tx, { userId, list, name });
		if ((await queries.countSavedFilters(tx, userId, list)) >= limits.savedFiltersMax)
			throw new AppError('TOO_MANY_SAVED_FILTERS', { fields: { name: 'error_too_many_saved_filters' } });
		const id = newId();
		const row = { id, user_id: userId, list, name, name_key: nameKey, query, created_at: isoAt(deps.clock) };
		await queries.insertSavedFilter(tx, row);
		await recordAudit(deps, tx, caller, 'filter-saved', ['settings', id], { name, list });
		return { id, name, query };
	});
}

/** @throws AppError NOT_FOUND, FILTER_NAME_IN_USE */
export function updateSavedFilter(deps: Deps, caller: MemberCaller, input: InputOf<typeof savedFilters.update>) {
	return changeFilters(deps, caller, async (tx, userId) => {
		const current = required(await queries.findSavedFilter(tx, userId, input.id), 'NOT_FOUND');
		const { id, list } = current;
		const { name = current.name, query = current.query } = input;
		const nameKey = await requireFreeName(tx, { userId, list, name }, id);
		await queries.updateSavedFilter(tx, id, { name, name_key: nameKey, query });
		await recordAudit(deps, tx, caller, 'filter-changed', ['settings', id], { name, list });
		return { id, name, query };
	});
}

/** @throws AppError NOT_FOUND */
export async function deleteSavedFilter(deps: Deps, caller: MemberCaller, id: string): Promise<void> {
	await changeFilters(deps, caller, async (tx, userId) => {
		const { name, list } = required(await queries.findSavedFilter(tx, userId, id), 'NOT_FOUND');
		await queries.deleteSavedFilter(tx, id);
		await recordAudit(deps, tx, caller, 'filter-deleted', ['settings', id], { name, list });
	});
}

/** Runs a change in a transaction; changes of one user run one after the other. The user's other pages are notified. */
async function changeFilters<T>(
	deps: Deps,
	{ actor: { userId } }: MemberCaller,
	change: (tx: Db, userId: string) => Promise<T>,
): Promise<T> {
	const result = await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, `saved-filters-${userId}`);
		return change(tx, userId);
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'saved-filters' } });
	return result;
}

/** Returns the key of a name that no other saved filters have. `ownId`: the ID of the renamed ones. */
async function requireFreeName(tx: Db, row: { userId: string; list: FilteredList; name: string }, ownId?: string) {
	const nameKey = row.name.normalize('NFKC').toLowerCase();
	const found = await queries.findIdByName(tx, { ...row, nameKey });
	if (found !== undefined && found.id !== ownId)
		throw new AppError('FILTER_NAME_IN_USE', { fields: { name: 'error_filter_name_in_use' } });
	return nameKey;
}
