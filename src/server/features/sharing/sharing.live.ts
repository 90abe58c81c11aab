import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../platform/deps.ts';
import { findReadersOf } from './sharing.queries.ts';

const askedAtOnce = 1000;

/**
 * Whoever reads something in a space by a share hears when anything changes in it, if they are connected to this process.
 * Every process hears of the change and asks for its own people: nothing is told of a space to those who have no part in it.
 */
export function followShares(app: FastifyInstance, deps: Deps): void {
	const owners = new Set<string>();
	let isTelling = false;

	const unsubscribe = deps.bus.subscribe((message) => {
		// Once for each change: the same hint goes to other audiences too.
		if (message.kind !== 'hint' || message.hint.topic !== 'nodes' || message.audience.to !== 'admins') return;
		owners.add(message.hint.owner);
		if (!isTelling) void tellAll();
	});
	app.addHook('preClose', async () => {
		unsubscribe();
	});

	async function tellAll(): Promise<void> {
		isTelling = true;
		try {
			for (const owner of owners) {
				owners.delete(owner);
				await tellReaders(deps, owner);
			}
		} catch (error) {
			deps.log.warn({ err: error }, 'readers of a space not told of a change');
		} finally {
			isTelling = false;
		}
	}
}

async function tellReaders(deps: Deps, owner: string): Promise<void> {
	const connected = deps.live.personIds();
	for (let start = 0; start < connected.length; start += askedAtOnce) {
		for (const userId of await findReadersOf(deps.db, owner, connected.slice(start, start + askedAtOnce))) {
			deps.bus.publishHere({ kind: 'hint', audience: { to: 'user', userId }, hint: { topic: 'shares' } });
		}
	}
}
