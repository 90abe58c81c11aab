import { addMembers, createGroup } from '#server/features/accounts/groups/groups.service.ts';
import { findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import { shareNode, shareNodes, unshareNode } from '#server/features/sharing/sharing.service.ts';
import { type Caller, requireMember } from '#server/platform/actor.ts';
import { owner } from './accounts.ts';
import type { DepsAt } from './sample-data.ts';
import { findNodeId } from './spaces.ts';

const asha = 'asha.verma@example.com';
const ritu = 'ritu.a@example.com';

/** Days ago, time, the space with the shared node, its name, and the recipient. */
const shares = [
	[15, '11:00', owner.email, 'Build Your Empire, the course', asha],
	[15, '11:01', owner.email, 'Build Your Empire, the course', 'sunil.y@example.com'],
	[15, '11:02', owner.email, 'Build Your Empire, the course', ritu],
	[4, '17:40', owner.email, 'Shop opening checklist.pdf', asha],
	[4, '17:40', owner.email, 'Shop opening checklist.pdf', 'dev.anand@example.com'],
	[1, '20:15', ritu, 'Stall at the fair.jpg', asha],
] as const;

const groups = [
	['Ledger workshop', ['lata.m@example.com', 'farah.s@example.com', 'kavita.rao@example.com']],
	['Readers in Pune', ['lata.m@example.com', 'imran.q@example.com']],
] as const;

/**
 * Shares the owner's course with three members, excludes a part of it for one of them, and shares single files with
 * members, and some with groups.
 */
export async function shareSamples(at: DepsAt, admin: Caller): Promise<void> {
	const caller = requireMember(admin);
	for (const [daysAgo, time, space, name, email] of shares) {
		const then = at(daysAgo, time);
		await shareNode(then, caller, { nodeId: await findNodeId(then, caller, space, name), email });
	}
	const then = at(14, '09:30');
	const nodeId = await findNodeId(then, caller, owner.email, '3 Money you can see');
	await unshareNode(then, caller, { nodeId, email: ritu });
	await shareWithGroups(at, admin);
}

async function shareWithGroups(at: DepsAt, admin: Caller): Promise<void> {
	const caller = requireMember(admin);
	const then = at(9, '18:20');
	const groupIds: string[] = [];
	for (const [name, emails] of groups) {
		const { id } = await createGroup(then, caller, { name });
		const users = await Promise.all(emails.map((email) => findUserByEmail(then.db, email)));
		await addMembers(then, caller, { id, userIds: users.flatMap((user) => user?.id ?? []) });
		groupIds.push(id);
	}
	const [workshop = '', readers = ''] = groupIds;
	const worksheets = await findNodeId(then, caller, asha, 'My worksheets');
	await shareNodes(then, caller, { ids: [worksheets], recipients: [{ groupId: workshop }] });
	const plan = await findNodeId(then, caller, 'imran.q@example.com', 'Workshop plan.png');
	await shareNodes(at(2, '17:30'), caller, { ids: [plan], recipients: [{ groupId: readers }] });
}
