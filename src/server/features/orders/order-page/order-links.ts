import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newToken } from '../../../platform/ids.ts';
import type { OrderLinkRow } from './order-page.queries.ts';
import * as queries from './order-page.queries.ts';

/** A new link with its token; only the token's hash is stored. */
export interface OrderLink {
	id: string;
	token: string;
}

/** Creates a submission's own link, for its sender only. */
export function createSubmissionLink(
	deps: Deps,
	tx: Db,
	{
		orderId,
		email,
		madeAccount,
		pricePaise,
	}: { orderId: string; email: string; madeAccount: boolean; pricePaise: number },
): Promise<OrderLink> {
	return createLink(deps, tx, {
		order_id: orderId,
		email,
		of_link_id: null,
		made_account: madeAccount ? 1 : 0,
		price_paise: pricePaise,
	});
}

/** Creates a link for a mail to the account of an order; `ofLinkId`: the submission that the mail is about. */
export function createMailLink(deps: Deps, tx: Db, orderId: string, ofLinkId: string | null = null) {
	return createLink(deps, tx, { order_id: orderId, email: null, of_link_id: ofLinkId, made_account: 0 });
}

export function findOrderLink(deps: Deps, db: Db, token: string) {
	return queries.findOrderLink(db, deps.secrets.hashToken(token));
}

async function createLink(
	deps: Deps,
	tx: Db,
	row: Pick<OrderLinkRow, 'order_id' | 'email' | 'of_link_id' | 'made_account'> & { price_paise?: number },
): Promise<OrderLink> {
	const link = { id: newId(), token: newToken() };
	await queries.insertOrderLink(tx, {
		...row,
		id: link.id,
		token_hash: deps.secrets.hashToken(link.token),
		created_at: isoAt(deps.clock),
	});
	return link;
}
