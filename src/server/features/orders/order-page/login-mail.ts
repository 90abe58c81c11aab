import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { consumeRateLimits, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createPasswordLink, firstPasswordLinkSeconds, lockUsers } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail, type MailOrder, sanitizeMailName } from '../../mail/index.ts';
import { summarizeOrder } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';
import { createOrderLink } from './order-links.ts';

interface LoginMail {
	user: { id: string; email: string };
	orderId: string;
	name: string;
	lines: Required<MailOrder>;
	/** Id of the link of the submission that the mail is about; null if it is about no submission. */
	linkId: string | null;
	/** The first password of a new account; null for an existing account. */
	password?: string | null;
	kind?: 'order-received' | 'login-again';
	delaySeconds?: number;
}

/** Mails the account of an order a new link to set a password, in the caller's transaction. */
export async function mailLogin(
	deps: Deps,
	tx: Db,
	{ locale }: { locale: Locale },
	{ user, orderId, name, lines, linkId, password = null, kind = 'order-received', delaySeconds = 0 }: LoginMail,
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
		linkId === null ? { delaySeconds } : { orderLinkId: linkId },
	);
}

/** One mail becomes due per second, so that mails to buyers do not wait for many logins. */
const secondsBetweenMails = 1;

/**
 * Mails several users a link to set a password, in one transaction. Deactivated users, and users who got too many such
 * mails, are skipped.
 * @param mailsBefore number of mails that become due before, from earlier calls of a bulk action
 * @returns the outcomes by id, without unknown users
 */
export async function sendLoginLinks(deps: Deps, caller: Caller, ids: readonly string[], mailsBefore = 0) {
	const outcomes = await inTransaction(deps.db, async (tx) => {
		let mails = mailsBefore;
		const users = await lockUsers(tx, ids);
		const outcomeById = new Map<string, 'done' | 'inactive' | 'limit'>(users.map(({ id }) => [id, 'inactive']));
		const active = users.filter((user) => user.active === 1);
		const keys = active.map(({ emailKey }) => emailKey);
		const allowed = await consumeRateLimits(deps, tx, rateLimits.loginMailPerAccount, keys);
		for (const [index, user] of active.entries()) {
			outcomeById.set(user.id, allowed[index] ? 'done' : 'limit');
			if (!allowed[index]) continue;
			await mailLoginLinkToUser(deps, tx, user, caller.locale, mails * secondsBetweenMails);
			mails += 1;
			await recordAudit(deps, tx, caller, 'login-sent', ['user', user.id], { email: user.email });
		}
		return outcomeById;
	});
	deps.wakeWorkers();
	return outcomes;
}

/** Mails a user a link to set a password. The mail has the newest order; without an order, it is an invitation. */
async function mailLoginLinkToUser(
	deps: Deps,
	tx: Db,
	user: LoginMail['user'],
	locale: Locale,
	delaySeconds: number,
): Promise<void> {
	const order = (await queries.listOrdersOfUser(tx, user.id)).at(-1);
	if (order !== undefined) {
		const lines = await summarizeOrder(deps, tx, order);
		const { id: orderId, name } = order;
		const sent = { user, orderId, name, lines, linkId: null, kind: 'login-again', delaySeconds } as const;
		return mailLogin(deps, tx, { locale: order.locale ?? locale }, sent);
	}
	const { id: linkId, token } = await createPasswordLink(deps, tx, user.id, firstPasswordLinkSeconds);
	await enqueueMail(deps, tx, { kind: 'invitation', to: user.email, locale, linkId, token }, { delaySeconds });
}
