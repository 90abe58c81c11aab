import * as z from 'zod';
import type { history, LoginEntry } from '#contract/accounts/administration.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { required } from '../../../platform/app-error.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { parseUserAgent } from '../../../platform/http/user-agent.ts';
import { listLoginHistoryRows } from '../users/users.queries.ts';
import { findUserByEmail } from '../users/users.service.ts';

const cursorSchema = z.tuple([z.number()]);

/** Returns one page of a user's sign-ins, newest first. @throws AppError NOT_FOUND for an address without an account */
export async function listLoginHistory(deps: Deps, input: InputOf<typeof history.list>) {
	const after = unpackCursor(input.cursor, cursorSchema);
	const user = required(await findUserByEmail(deps.db, input.email), 'NOT_FOUND');
	const rows = await listLoginHistoryRows(deps.db, {
		userId: user.id,
		before: after?.[0] ?? null,
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.loginCount]);
	return {
		person: {
			id: user.id,
			email: user.email,
			name: user.name,
			active: user.active === 1,
			loginCount: user.login_count,
		},
		items: page.map(
			(row): LoginEntry => ({
				id: row.id,
				lastLogin: row.at,
				loginCount: row.loginCount,
				browserInfo: row.browserInfo,
				ipAddresses: [{ ip: row.ip, loginNumber: row.loginCount, timestamp: row.at }],
				device: parseUserAgent(row.browserInfo),
			}),
		),
		nextCursor,
	};
}
