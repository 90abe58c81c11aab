import type { Locale } from '#contract/core/text.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createPasswordLink, firstPasswordLinkSeconds } from '../../accounts/index.ts';
import { enqueueMail, sanitizeMailName } from '../../mail/index.ts';
import { type OrderSummary, summarizeOrder } from '../order-fields.ts';
import * as queries from '../orders.queries.ts';
import { createMailLink } from './order-links.ts';

interface LoginMail {
	user: { id: string; email: string };
	order: { id: string; name: string };
	summary: OrderSummary;
	locale: Locale;
	/** Link of the submission that requested the mail; null without one. */
	ofLinkId: string | null;
}

/** Mails a new link for setting a password to the account of an order, in the caller's transaction. */
export async function mailLoginLink(
	deps: Deps,
	tx: Db,
	{ user, order, summary: lines, locale, ofLinkId }: LoginMail,
): Promise<void> {
	const password = await createPasswordLink(deps, tx, user.id, firstPasswordLinkSeconds);
	const status = await createMailLink(deps, tx, order.id, ofLinkId);
	await enqueueMail(
		deps,
		tx,
		{
			kind: 'login-again',
			to: user.email,
			locale,
			linkId: password.id,
			token: password.token,
			name: sanitizeMailName(order.name),
			order: lines,
			statusToken: status.token,
		},
		ofLinkId === null ? {} : { orderLinkId: ofLinkId },
	);
}

/** Mails a user, at the owner's request, a link for a password with the newest order, or an invitation. */
export async function mailLoginLinkToUser(deps: Deps, tx: Db, user: LoginMail['user'], locale: Locale): Promise<void> {
	const order = (await queries.listOrdersOfUser(tx, user.id)).at(-1);
	if (order !== undefined) {
		const lines = await summarizeOrder(deps, tx, order);
		return mailLoginLink(deps, tx, { user, order, summary: lines, locale: order.locale ?? locale, ofLinkId: null });
	}
	const { id: linkId, token } = await createPasswordLink(deps, tx, user.id, firstPasswordLinkSeconds);
	await enqueueMail(deps, tx, { kind: 'invitation', to: user.email, locale, linkId, token });
}
