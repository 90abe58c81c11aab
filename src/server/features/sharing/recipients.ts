import type { FastifyInstance } from 'fastify';
import { computedGroups, isComputedGroup } from '#contract/accounts/groups.ts';
import type { RecipientInput } from '#contract/sharing/sharing.ts';
import { AppError, required } from '../../platform/app-error.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import {
	findGroup,
	findMembersAmong,
	findReader,
	findUserByEmail,
	lockGroup,
	lockUsers,
	type Reader,
} from '../accounts/index.ts';
import { findRecipientsInSpace } from './share-lists/share-lists.queries.ts';

const batchSize = 1000;

/** Notifies the recipients of a changed space who are connected to this process, and no other users. */
export function notifyRecipientsOfChanges(app: FastifyInstance, deps: Deps): void {
	const owners = new Set<string>();
	const groups = new Set<string>();
	let isNotifying = false;

	const unsubscribe = deps.bus.subscribe((message) => {
		if (message.kind !== 'event') return;
		if (message.audience.to === 'group') groups.add(message.audience.groupId);
		// Only the event for admins is handled, because each change is published to several audiences.
		else if (message.event.topic === 'nodes' && message.audience.to === 'admins') owners.add(message.event.owner);
		else return;
		if (!isNotifying) void notifyAll();
	});
	app.addHook('preClose', async () => {
		unsubscribe();
	});

	async function notifyAll(): Promise<void> {
		isNotifying = true;
		try {
			while (owners.size + groups.size > 0) {
				for (const owner of owners) {
					owners.delete(owner);
					await notifyConnected(deps, (userIds) => findRecipientsInSpace(deps.db, owner, userIds));
					for (const id of await findRecipientsInSpace(deps.db, owner, 'groups')) groups.add(id);
				}
				for (const groupId of groups) {
					groups.delete(groupId);
					await notifyConnected(deps, (userIds) => findMembersAmong(deps.db, groupId, userIds));
				}
			}
		} catch (error) {
			deps.log.warn({ err: error }, 'recipients of shares not notified of a change');
		} finally {
			isNotifying = false;
		}
	}
}

/** Sends an event to those of the connected users that `find` returns. */
async function notifyConnected(deps: Deps, find: (userIds: string[]) => Promise<Iterable<string>>): Promise<void> {
	const connected = deps.live.userIds();
	for (let start = 0; start < connected.length; start += batchSize) {
		for (const userId of await find(connected.slice(start, start + batchSize))) {
			deps.bus.publishLocally({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'shares' } });
		}
	}
}

/** A user or group with whom nodes are shared. */
export interface Recipient {
	id: string;
	kind: 'user' | 'group';
	/** The user's email address, or the group's name. */
	label: string;
	reader: Reader;
}

/** @throws AppError RECIPIENT_UNKNOWN */
export async function getPerson(deps: Deps, email: string) {
	const user = requireKnown(await findUserByEmail(deps.db, email));
	return { id: user.id, email: user.email, active: user.active === 1, isAdmin: user.role === 'admin' };
}

function requireKnown<User>(user: User | undefined): User {
	if (user === undefined) throw new AppError('RECIPIENT_UNKNOWN', { fields: { email: 'error_recipient_unknown' } });
	return user;
}

/** @throws AppError RECIPIENT_UNKNOWN, GROUP_UNKNOWN */
export async function getRecipient(deps: Deps, input: RecipientInput): Promise<Recipient> {
	if ('email' in input) {
		const { id, email } = await getPerson(deps, input.email);
		return { id, kind: 'user', label: email, reader: await findReader(deps.db, id) };
	}
	const id = input.groupId;
	const { name } = isComputedGroup(id)
		? { name: computedGroups[id] }
		: required(await findGroup(deps.db, id), 'GROUP_UNKNOWN');
	return { id, kind: 'group', label: name, reader: { id, groupIds: [] } };
}

/**
 * Prevents the deletion of a recipient until the transaction ends.
 * @throws AppError RECIPIENT_UNKNOWN, GROUP_UNKNOWN, and for a new share RECIPIENT_INACTIVE
 */
export async function lockRecipientOf(tx: Db, { id, kind }: Recipient, change: 'share' | 'unshare'): Promise<void> {
	if (kind === 'group') {
		if (!isComputedGroup(id)) required(await lockGroup(tx, id, 'share'), 'GROUP_UNKNOWN');
		return;
	}
	const user = requireKnown((await lockUsers(tx, [id]))[0]);
	if (change === 'share' && user.active !== 1)
		throw new AppError('RECIPIENT_INACTIVE', { fields: { email: 'error_recipient_inactive' } });
}
