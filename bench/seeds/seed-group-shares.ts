import { addUser, count, insertRows, nodeRow, seed, seededAt, shareRow, signIn, userRow } from './seeding.ts';

/**
 * `node bench/seeds/seed-group-shares.ts COUNT`: creates 10,000 members and a space with 1,000 files. The files are
 * shared with COUNT groups in turn, of which all are members, or for a COUNT of 0 with one member, who sees the same
 * files for every COUNT.
 */
const members = 10_000;
const files = 1000;

await addUser('owner', 'admin');
const space = await addUser('space', 'user');
const member = await addUser('member', 'user');

const padded = (number: number) => String(number).padStart(5, '0');
const memberIdOf = (index: number) => (index === 0 ? member.id : `member-${padded(index)}`);
const groupIdOf = (index: number) => `group-${index % count}`;

function fileOf(index: number) {
	const name = `file-${padded(index)}.pdf`;
	const created_at = new Date(Date.parse(seededAt) + index * 60_000).toISOString();
	return nodeRow({ id: name, owner_id: space.id, name, created_at });
}

await seed(async (tx) => {
	await insertRows(tx, 'users', members - 1, (index) =>
		userRow({ id: memberIdOf(index + 1), email: `member.${padded(index + 1)}@bench.example` }),
	);
	await insertRows(tx, 'nodes', files, fileOf);
	await insertRows(tx, 'groups', count, (index) => {
		const id = groupIdOf(index);
		return { id, name: id, name_key: id, created_at: seededAt };
	});
	await insertRows(tx, 'group_members', count * members, (index) => ({
		group_id: groupIdOf(index),
		user_id: memberIdOf(Math.floor(index / count)),
		added_at: seededAt,
	}));
	await insertRows(tx, 'shares', files, (index) =>
		count === 0 ? shareRow(fileOf(index), member.id) : shareRow(fileOf(index), groupIdOf(index), 'group'),
	);
	return { token: await signIn(member, tx) };
});
