import { inTransaction } from '#server/platform/database/transaction.ts';
import { addUser, count, deps, finishSeeding, insertRows, nodeRow, passwordHash, seededAt, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-group-shares.ts COUNT`: creates 10,000 members and a space with 1,000 files in an empty
 * installation, which the environment variables select. The files are shared with COUNT groups in turn, of which all are
 * members; for a COUNT of 0, with one member directly. Prints the session token of this member, who sees the same files
 * for every COUNT.
 */
const members = 10_000;
const files = 1000;

const owner = await addUser('owner', 'admin');
const space = await addUser('space', 'user');
const member = await addUser('member', 'user');

const padded = (number: number) => String(number).padStart(5, '0');
const memberIdOf = (index: number) => (index === 0 ? member.id : `member-${padded(index)}`);
const groupIdOf = (index: number) => `group-${index % count}`;

function userOf(index: number) {
	const email = `member.${padded(index)}@bench.example`;
	return {
		id: memberIdOf(index),
		email,
		email_key: email,
		search_key: `${email}\n`,
		name: null,
		role: 'user' as const,
		active: 1 as const,
		login_count: 0,
		password_hash: passwordHash,
		has_initial_password: 0 as const,
		created_at: seededAt,
	};
}

function fileOf(index: number) {
	const name = `file-${padded(index)}.pdf`;
	const created_at = new Date(Date.parse(seededAt) + index * 60_000).toISOString();
	return nodeRow({ id: name, owner_id: space.id, name, created_at });
}

function shareOf(index: number) {
	const { id, sort_key } = fileOf(index);
	return {
		id: `share-of-${id}`,
		node_id: id,
		owner_id: space.id,
		recipient_id: count === 0 ? member.id : groupIdOf(index),
		recipient_kind: count === 0 ? ('user' as const) : ('group' as const),
		kind: 'share' as const,
		kind_order: 1,
		sort_key,
		shared_by: owner.email,
		created_at: seededAt,
	};
}

await inTransaction(deps.db, async (tx) => {
	await insertRows(tx, 'users', members - 1, (index) => userOf(index + 1));
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
	await insertRows(tx, 'shares', files, shareOf);
});
await finishSeeding({ token: await signIn(member) });
