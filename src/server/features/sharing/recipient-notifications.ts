import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../platform/deps.ts';
import { findRecipientsInSpace } from './share-lists/share-lists.queries.ts';

const batchSize = 1000;

/**
 * Whoever reads something in a space by a share hears when anything changes in it, if they are connected to this process.
 * Every process hears of the change and asks for its own people: nothing is told of a space to those who have no part in it.
 */
export function notifyRecipientsOfChanges(app: FastifyInstance, deps: Deps): void {
	const owners = new Set<string>();
	let isNotifying = false;

	const unsubscribe = deps.bus.subscribe((message) => {
		// Once for each change: the same hint goes to other audiences too.
		if (message.kind !== 'hint' || message.hint.topic !== 'nodes' || message.audience.to !== 'admins') return;
		owners.add(message.hint.owner);
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
			deps.log.warn({ err: error }, 'readers of a space not told of a change');
		} finally {
			isNotifying = false;
		}
	}
}

async function notifyRecipients(deps: Deps, owner: string): Promise<void> {
	const connected = deps.live.userIds();
	for (let start = 0; start < connected.length; start += batchSize) {
		for (const userId of await findRecipientsInSpace(deps.db, owner, connected.slice(start, start + batchSize))) {
			deps.bus.publishLocally({ kind: 'hint', audience: { to: 'user', userId }, hint: { topic: 'shares' } });
		}
	}
}
