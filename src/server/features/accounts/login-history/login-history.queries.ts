import type { Db } from '../../../platform/database/schema.ts';

/** One page of a person's sign-ins, newest first: their count gives the order. */
export function listLoginHistoryRows(db: Db, query: { userId: string; before: number | null; limit: number }) {
	let page = db
		.selectFrom('login_history')
		.select(['id', 'login_count as loginCount', 'at', 'ip', 'browser_info as browserInfo'])
		.where('user_id', '=', query.userId)
		.orderBy('login_count', 'desc')
		.limit(query.limit);
	if (query.before !== null) page = page.where('login_count', '<', query.before);
	return page.execute();
}
