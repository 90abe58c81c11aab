import * as z from 'zod';
import { userFilters } from '../accounts/administration.ts';
import { cursor, recordId, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

export const bulkAction = z.enum(['activate', 'deactivate', 'give-book', 'send-login', 'add-to-group']);
export type BulkAction = z.infer<typeof bulkAction>;

/**
 * Result for a user: `done`, or why the user was skipped. `unchanged`: already as wanted. `self`: the caller's own
 * account is not deactivated. `inactive`: deactivated users get no login. `limit`: too many login mails in an hour.
 * `admin`: admins may read the book anyway. `gone`: deleted meanwhile.
 */
export const bulkOutcome = z.enum(['done', 'unchanged', 'self', 'last-admin', 'inactive', 'limit', 'admin', 'gone']);
export type BulkOutcome = z.infer<typeof bulkOutcome>;

export const bulkSelection = z.union([
	z.object({ ids: z.array(recordId).min(1).max(limits.usersPerCallMax) }),
	/** All users who match now and were registered until `until`. Each call handles a batch, newest users first. */
	z.object({ filters: userFilters, until: timestamp.max(40), cursor }),
]);
export type BulkSelection = z.infer<typeof bulkSelection>;

export const bulkUserActions = {
	/** Counts all matching users, without the limit of the list's total. */
	count: endpoint('admin', 'GET /api/users-bulk', 'Count the users that a bulk action would change')
		.input(userFilters)
		.output(z.object({ count: z.number(), /** For `until` of the action. */ until: timestamp })),
	/** Runs an action for a batch of users, each with an audit entry. INVALID_INPUT, GROUP_COMPUTED, GROUP_UNKNOWN. */
	run: endpoint('admin', 'POST /api/users-bulk', 'Run an action for several users')
		.input(
			z.object({
				action: bulkAction,
				selection: bulkSelection,
				/** For `add-to-group`. */
				groupId: recordId.optional(),
				/** Number of users in earlier batches: login mails become due one per second. */
				handled: z.number().int().min(0).max(10_000_000).default(0),
			}),
		)
		.output(
			z.object({
				items: z.array(
					z.object({ id: z.string(), /** Null if deleted. */ email: z.string().nullable(), outcome: bulkOutcome }),
				),
				/** Cursor of the next batch; null after the last. */
				nextCursor: z.string().nullable(),
			}),
		),
};
