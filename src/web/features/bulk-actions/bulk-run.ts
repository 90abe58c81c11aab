import type { UserFilters } from '#contract/accounts/administration.ts';
import type { BulkAction, BulkOutcome, BulkSelection } from '#contract/bulk-actions/bulk-actions.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';

/** The selected users: some, or all who match filters. */
export type SelectedUsers = { ids: readonly string[] } | { filters: UserFilters };

/** The users of one run of an action. Users who registered after `until` are left out. */
export type RunSelection = { ids: readonly string[] } | { filters: UserFilters; until: string };

/** Progress of a bulk action; also where it continues after a failure. */
export interface BulkProgress {
	/** Selection of the next call; null when all users are done. */
	next: BulkSelection | null;
	handled: number;
	outcomes: ReadonlyMap<BulkOutcome, OutcomeCount>;
}

interface OutcomeCount {
	count: number;
	/** The first email addresses. */
	emails: string[];
}

type SkipReason = Exclude<BulkOutcome, 'done'> | 'other';

/** Number of email addresses that the result shows for each reason. */
const emailsShownMax = 5;

export function startOf(selection: RunSelection): BulkProgress {
	return { next: nextCall(selection, 0, undefined), handled: 0, outcomes: new Map() };
}

function nextCall(selection: RunSelection, handled: number, cursor: string | null | undefined): BulkSelection | null {
	if ('filters' in selection) return cursor === null ? null : { ...selection, cursor };
	const ids = selection.ids.slice(handled, handled + limits.usersPerCallMax);
	return ids.length === 0 ? null : { ids };
}

/** Adds the results of a call. */
export function addResults(
	progress: BulkProgress,
	{ items, nextCursor }: CallOutputs['bulkUserActions']['run'],
	selection: RunSelection,
): BulkProgress {
	const outcomes = new Map(progress.outcomes);
	for (const { outcome, email } of items) {
		const { count, emails } = outcomes.get(outcome) ?? { count: 0, emails: [] };
		const isShown = email !== null && emails.length < emailsShownMax;
		outcomes.set(outcome, { count: count + 1, emails: isShown ? [...emails, email] : emails });
	}
	const handled = progress.handled + items.length;
	return { next: nextCall(selection, handled, nextCursor), handled, outcomes };
}

/**
 * Lists the skipped users by reason. `total`: the users who matched when the action was confirmed. Those who no longer
 * match when their batch is handled have the reason `other`.
 */
export function listSkipped({ next, handled, outcomes }: BulkProgress, total: number) {
	const skipped = new Map<SkipReason, OutcomeCount>();
	for (const [outcome, counted] of outcomes) if (outcome !== 'done') skipped.set(outcome, counted);
	if (next === null && handled < total) skipped.set('other', { count: total - handled, emails: [] });
	return skipped;
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
