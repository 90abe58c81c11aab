import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newToken } from '../../../platform/ids.ts';
import type { OrderLinkRow } from './order-page.queries.ts';
import * as queries from './order-page.queries.ts';

/** A link as it is handed out once; only the token's hash is kept. */
export interface OrderLink {
	id: string;
	token: string;
}

/** A submission's own link: for whoever sent the form, and nobody else. */
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

/** A link for a mail to the account of an order; `ofLinkId`: the submission that the mail answers. */
export function createMailLink(
	deps: Deps,
	tx: Db,
	orderId: string,
	ofLinkId: string | null = null,
): Promise<OrderLink> {
	return createLink(deps, tx, { order_id: orderId, email: null, of_link_id: ofLinkId, made_account: 0 });
}

/** The link of a token; undefined for one that is unknown, or whose order is gone. */
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

export { deleteMailLinks, listProofsOfLink, moveOrderLink, type OrderLinkRow } from './order-page.queries.ts';
