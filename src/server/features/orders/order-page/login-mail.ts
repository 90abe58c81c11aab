import type { Locale } from '#contract/core/text.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createPasswordLink, firstPasswordLinkSeconds } from '../../accounts/index.ts';
import { enqueueMail, type MailOrder, sanitizeMailName } from '../../mail/index.ts';
import { summarizeOrder } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';
import { createOrderLink } from './order-links.ts';

interface LoginMail {
	user: { id: string; email: string };
	orderId: string;
	name: string;
	lines: MailOrder;
	/** Id of the link of the submission that the mail is about; null if it is about no submission. */
	linkId: string | null;
	/** The first password of a new account; null for an existing account. */
	password?: string | null;
	kind?: 'order-received' | 'login-again';
}

/** Mails the account of an order a new link to set a password, in the caller's transaction. */
export async function mailLogin(
	deps: Deps,
	tx: Db,
	{ locale }: { locale: Locale },
	{ user, orderId, name, lines, linkId, password = null, kind = 'order-received' }: LoginMail,
): Promise<void> {
	const link = await createPasswordLink(deps, tx, user.id, firstPasswordLinkSeconds);
	const mail = {
		to: user.email,
		locale,
		linkId: link.id,
		token: link.token,
		name: sanitizeMailName(name),
		order: lines,
		statusToken: (await createOrderLink(deps, tx, { order_id: orderId, of_link_id: linkId })).token,
	};
	await enqueueMail(
		deps,
		tx,
		password === null ? { ...mail, kind } : { ...mail, kind: 'credentials', password },
		linkId === null ? {} : { orderLinkId: linkId },
	);
}

/** Mails a user a link to set a password. The mail has the newest order; without an order, it is an invitation. */
export async function mailLoginLinkToUser(deps: Deps, tx: Db, user: LoginMail['user'], locale: Locale): Promise<void> {
	const order = (await queries.listOrdersOfUser(tx, user.id)).at(-1);
	if (order !== undefined) {
		const lines = await summarizeOrder(deps, tx, order);
		const { id: orderId, name } = order;
		const sent = { user, orderId, name, lines, linkId: null, kind: 'login-again' } as const;
		return mailLogin(deps, tx, { locale: order.locale ?? locale }, sent);
	}
	const { id: linkId, token } = await createPasswordLink(deps, tx, user.id, firstPasswordLinkSeconds);
	await enqueueMail(deps, tx, { kind: 'invitation', to: user.email, locale, linkId, token });
}
