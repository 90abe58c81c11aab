import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserByEmail } from '../accounts/index.ts';
import { findRecipientsInSpace } from './share-lists/share-lists.queries.ts';

const batchSize = 1000;

/** Notifies the recipients of a changed space who are connected to this process, and no other users. */
export function notifyRecipientsOfChanges(app: FastifyInstance, deps: Deps): void {
	const owners = new Set<string>();
	let isNotifying = false;

	const unsubscribe = deps.bus.subscribe((message) => {
		// Only the event for admins is handled, because each change is published to several audiences.
		if (message.kind !== 'event' || message.event.topic !== 'nodes' || message.audience.to !== 'admins') return;
		owners.add(message.event.owner);
		if (!isNotifying) void notifyAll();
	});
	app.addHook('preClose', async () => {
		unsubscribe();
	});

	async function notifyAll(): Promise<void> {
		isNotifying = true;
		try {
			for (const owner of owners) {
				owners.delete(owner);
				await notifyRecipients(deps, owner);
			}
		} catch (error) {
			deps.log.warn({ err: error }, 'recipients of a space not notified of a change');
		} finally {
			isNotifying = false;
		}
	}
}

async function notifyRecipients(deps: Deps, owner: string): Promise<void> {
	const connected = deps.live.userIds();
	for (let start = 0; start < connected.length; start += batchSize) {
		for (const userId of await findRecipientsInSpace(deps.db, owner, connected.slice(start, start + batchSize))) {
			deps.bus.publishLocally({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'shares' } });
		}
	}
}

export type Recipient = Awaited<ReturnType<typeof getRecipient>>;

/** @throws AppError RECIPIENT_UNKNOWN */
export async function getRecipient(deps: Deps, email: string) {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new AppError('RECIPIENT_UNKNOWN', { fields: { email: 'error_recipient_unknown' } });
	return { id: user.id, email: user.email, active: user.active === 1, isAdmin: user.role === 'admin' };
}
