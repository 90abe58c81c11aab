import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newToken } from '../../../platform/ids.ts';
import type { OrderLinkRow } from './order-page.queries.ts';
import * as queries from './order-page.queries.ts';

type LinkFields = Partial<Pick<OrderLinkRow, 'email' | 'of_link_id' | 'made_account' | 'price_paise'>>;

/**
 * Creates a link to an order's page; only the hash of its token is stored. A submission's own link has the entered
 * email. A mailed link has no email; its `of_link_id` is the link of the mail's submission.
 */
export async function createOrderLink(deps: Deps, tx: Db, fields: LinkFields & { order_id: string }) {
	const link = { id: newId(), token: newToken() };
	await queries.insertOrderLink(tx, {
		email: null,
		of_link_id: null,
		made_account: 0,
		...fields,
		id: link.id,
		token_hash: deps.secrets.hashToken(link.token),
		created_at: isoAt(deps.clock),
	});
	return link;
}

export function findOrderLink(deps: Deps, db: Db, token: string) {
	return queries.findOrderLink(db, deps.secrets.hashToken(token));
}
