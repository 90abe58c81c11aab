import { listFolder } from '#server/features/files/listing/listing.service.ts';
import { shareNode, unshareNode } from '#server/features/sharing/sharing.service.ts';
import { type Caller, requireMember } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { owner } from './accounts.ts';
import { type Calendar, depsAt } from './calendar.ts';

const learners = ['asha.verma@example.com', 'sunil.y@example.com', 'ritu.a@example.com'];

/** Shares the owner's course with three members, with a part excluded for one of them, and single files with others. */
export async function shareSamples(deps: Deps, calendar: Calendar, admin: Caller): Promise<void> {
	const caller = requireMember(admin);
	const idOf = async (space: string, path: string, name: string) => {
		const query = { owner: space, path, type: 'all', sort: 'name', order: 'asc', limit: 100 } as const;
		const { items } = await listFolder(deps, caller, query);
		const node = items.find((item) => item.name === name);
		if (node === undefined) throw new Error(`${name} is not in the storage of ${space}.`);
		return { nodeId: node.id, below: path === '' ? String(node.realPath) : `${path}/${node.realPath}` };
	};
	const share = async (daysAgo: number, time: string, nodeId: string, email: string) => {
		await shareNode(depsAt(deps, calendar(daysAgo, time)), caller, { nodeId, email });
	};
	const course = await idOf(owner.email, '', 'Build Your Empire, the course');
	for (const [index, email] of learners.entries()) await share(15, `11:0${index}`, course.nodeId, email);
	const last = await idOf(owner.email, course.below, '3 Money you can see');
	await unshareNode(depsAt(deps, calendar(14, '09:30')), caller, { nodeId: last.nodeId, email: 'ritu.a@example.com' });
	const notes = await idOf(owner.email, '', 'Shop opening checklist.pdf');
	for (const email of ['asha.verma@example.com', 'dev.anand@example.com']) await share(4, '17:40', notes.nodeId, email);
	const fair = await idOf('ritu.a@example.com', '', 'Stall at the fair.jpg');
	await share(1, '20:15', fair.nodeId, 'asha.verma@example.com');
}
