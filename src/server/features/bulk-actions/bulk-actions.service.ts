import type { BulkOutcome, bulkUserActions } from '#contract/bulk-actions/bulk-actions.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { changeMembers, listEmailsByUserId, listUserBatch, setUsersActive } from '../accounts/index.ts';
import { grantBookAccess } from '../book/index.ts';
import { sendLoginLinks } from '../orders/index.ts';

type RunInput = InputOf<typeof bulkUserActions.run>;

/** On SQLite, a transaction makes all other requests wait, so each one changes only a few users. */
const usersPerTransaction = 25;

/**
 * Runs an action for the selected users, or for the next batch of all users who match.
 * @throws AppError INVALID_INPUT, GROUP_COMPUTED, GROUP_UNKNOWN
 */
export async function runBulkAction(deps: Deps, caller: Caller, input: RunInput) {
	const { selection } = input;
	if (input.action === 'add-to-group' && input.groupId === undefined) throw new AppError('INVALID_INPUT');
	const { ids, nextCursor } =
		'ids' in selection
			? { ids: [...new Set(selection.ids)], nextCursor: null }
			: await listUserBatch(deps, selection, limits.usersPerCallMax);
	const emails = await listEmailsByUserId(deps.db, ids);
	const outcomes = new Map<string, BulkOutcome>();
	for (let start = 0; start < ids.length; start += usersPerTransaction) {
		// Sorted, so that two transactions that lock the same rows run one after the other instead of deadlocking.
		const some = ids.slice(start, start + usersPerTransaction).sort();
		const changed = await changeUsers(deps, caller, { ...input, handled: input.handled + start }, some);
		for (const [id, outcome] of changed) outcomes.set(id, outcome);
		await yieldToEventLoop();
	}
	const items = ids.map((id) => ({ id, email: emails.get(id) ?? null, outcome: outcomes.get(id) ?? 'gone' }));
	return { items, nextCursor };
}

/** @returns the outcomes by id, without deleted users */
async function changeUsers(
	deps: Deps,
	caller: Caller,
	{ action, groupId = '', handled }: RunInput,
	ids: string[],
): Promise<ReadonlyMap<string, BulkOutcome>> {
	if (action === 'give-book') return grantBookAccess(deps, caller, ids);
	if (action === 'send-login') return sendLoginLinks(deps, caller, ids, handled);
	if (action === 'add-to-group')
		return changeMembers(deps, caller, { id: groupId, userIds: ids }, 'group-member-added');
	if (action === 'activate') return setUsersActive(deps, caller, ids, true);
	const ownId = caller.actor?.userId ?? '';
	const others = ids.filter((id) => id !== ownId);
	const own: Array<[string, BulkOutcome]> = others.length < ids.length ? [[ownId, 'self']] : [];
	return others.length === 0 ? new Map(own) : new Map([...own, ...(await setUsersActive(deps, caller, others, false))]);
}
