import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { createPasswordLink, firstLinkSeconds } from '../account/password-links.service.ts';
import { enqueueMail, mailedName } from '../mail/mail.service.ts';
import { linesOf, type PlacedOrder } from './order-fields.ts';
import { createMailLink } from './order-links.service.ts';
import * as queries from './orders.queries.ts';

interface LoginAgain {
	user: { id: string; email: string };
	order: { id: string; name: string };
	lines: PlacedOrder;
	locale: Locale;
	/** The submission that asked for it; null where none did. */
	ofLinkId: string | null;
}

/** Mails a new link to the account of an order, in the caller's transaction. */
export async function mailLoginAgain(
	deps: Deps,
	tx: Db,
	{ user, order, lines, locale, ofLinkId }: LoginAgain,
): Promise<void> {
	const password = await createPasswordLink(deps, tx, user.id, firstLinkSeconds);
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
			name: mailedName(order.name),
			order: lines,
			statusToken: status.token,
		},
		ofLinkId === null ? {} : { orderLinkId: ofLinkId },
	);
}

/** The owner sends a person their login once more, with the newest order; an invitation where there is none. */
export async function mailLoginToPerson(deps: Deps, tx: Db, user: LoginAgain['user'], locale: Locale): Promise<void> {
	const order = (await queries.listOrdersOfUser(tx, user.id)).at(-1);
	if (order !== undefined) {
		const lines = await linesOf(deps, tx, order);
		return mailLoginAgain(deps, tx, { user, order, lines, locale: order.locale ?? locale, ofLinkId: null });
	}
	const { id: linkId, token } = await createPasswordLink(deps, tx, user.id, firstLinkSeconds);
	await enqueueMail(deps, tx, { kind: 'invitation', to: user.email, locale, linkId, token });
}
