import type { UserFilters } from '#contract/accounts/administration.ts';
import type { BulkAction, BulkOutcome, BulkSelection } from '#contract/bulk-actions/bulk-actions.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';

/** The selected users: some, or all who match filters. */
export type SelectedUsers = { ids: readonly string[] } | { filters: UserFilters };

/** The same for the calls. `until`: users who registered later are left out. */
export type RunSelection = { ids: readonly string[] } | { filters: UserFilters; until: string };

/** Progress of a bulk action; also where it continues after a failure. */
export interface BulkProgress {
	/** Selection of the next call; null when all users are done. */
	next: BulkSelection | null;
	handled: number;
	done: number;
	/** Number of skipped users and the first email addresses, by reason. */
	skipped: ReadonlyMap<SkipReason, { count: number; emails: string[] }>;
}

type SkipReason = Exclude<BulkOutcome, 'done'> | 'other';

/** Number of email addresses that the result shows for each reason. */
const emailsShownMax = 5;

export function startOf(selection: RunSelection): BulkProgress {
	const next = 'ids' in selection ? firstIds(selection.ids) : selection;
	return { next, handled: 0, done: 0, skipped: new Map() };
}

function firstIds(ids: readonly string[], from = 0): BulkSelection | null {
	const some = ids.slice(from, from + limits.usersPerCallMax);
	return some.length === 0 ? null : { ids: some };
}

/** Adds the results of a call. */
export function addResults(
	progress: BulkProgress,
	{ items, nextCursor }: CallOutputs['bulkUserActions']['run'],
	selection: RunSelection,
): BulkProgress {
	const skipped = new Map(progress.skipped);
	for (const { outcome, email } of items) {
		if (outcome === 'done') continue;
		const { count, emails } = skipped.get(outcome) ?? { count: 0, emails: [] };
		const isShown = email !== null && emails.length < emailsShownMax;
		skipped.set(outcome, { count: count + 1, emails: isShown ? [...emails, email] : emails });
	}
	const handled = progress.handled + items.length;
	const done = progress.done + items.filter(({ outcome }) => outcome === 'done').length;
	if ('ids' in selection) return { next: firstIds(selection.ids, handled), handled, done, skipped };
	return { next: nextCursor === null ? null : { ...selection, cursor: nextCursor }, handled, done, skipped };
}

/** Counts users who matched when the action was confirmed, and did not when their turn came. */
export function addUnmatched(progress: BulkProgress, total: number): BulkProgress {
	const count = total - progress.handled;
	if (count <= 0) return progress;
	return { ...progress, skipped: new Map(progress.skipped).set('other', { count, emails: [] }) };
}

export function reasonText(reason: SkipReason, action: BulkAction): string {
	if (reason === 'unchanged') {
		if (action === 'activate') return m.bulk_skip_active();
		if (action === 'add-to-group') return m.bulk_skip_member();
		return action === 'deactivate' ? m.bulk_skip_deactivated() : m.bulk_skip_has_book();
	}
	const texts = {
		self: m.bulk_skip_self,
		'last-admin': m.bulk_skip_last_admin,
		inactive: m.bulk_skip_inactive,
		limit: m.bulk_skip_limit,
		admin: m.bulk_skip_admin,
		gone: m.bulk_skip_gone,
		other: m.bulk_skip_other,
	};
	return texts[reason]();
}

interface ActionTexts {
	label: () => string;
	question: (input: { count: number; shown: string }) => string;
	detail: () => string;
	result: (input: { count: number; shown: string }) => string;
}

export const actionTexts: Record<BulkAction, ActionTexts> = {
	activate: {
		label: m.bulk_activate,
		question: m.bulk_activate_question,
		detail: m.bulk_activate_detail,
		result: m.bulk_result_activate,
	},
	deactivate: {
		label: m.bulk_deactivate,
		question: m.bulk_deactivate_question,
		detail: m.bulk_deactivate_detail,
		result: m.bulk_result_deactivate,
	},
	'give-book': {
		label: m.bulk_give_book,
		question: m.bulk_give_book_question,
		detail: m.bulk_give_book_detail,
		result: m.bulk_result_give_book,
	},
	'send-login': {
		label: m.bulk_send_login,
		question: m.bulk_send_login_question,
		detail: m.bulk_send_login_detail,
		result: m.bulk_result_send_login,
	},
	'add-to-group': {
		label: m.bulk_add_to_group,
		question: m.bulk_add_to_group_question,
		detail: m.bulk_add_to_group_detail,
		result: m.bulk_result_add_to_group,
	},
};
