import { randomBytes } from 'node:crypto';
import { lockConversation, updateConversation } from '#server/features/chat/chat.queries.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { bindBook } from './bind-book.mjs';
import { addFile, addUser, count, deps, finishSeeding, password, readDurability, signIn } from './seeding.ts';

const kinds = {
	/** An admin, a member, and the four editions of the sample book, joined into one PDF in the book space. */
	async book() {
		const admin = await addUser('admin', 'admin');
		const member = await addUser('user', 'user', { fullName: 'A Reader' });
		const tokens = { admin: await signIn(admin), user: await signIn(member) };
		const file = await addFile('book', 'Four editions.pdf', await bindBook(), 'application/pdf');
		return { tokens, memberId: member.id, ...file };
	},

	/** A file of COUNT megabytes in the guest space, and an admin. */
	async 'large-file'() {
		const owner = await addUser('owner', 'admin');
		const file = await addFile('guest', 'large.bin', randomBytes(count * 1024 ** 2));
		return { token: await signIn(owner), ...file, email: owner.email, password };
	},

	/** A member with COUNT files at the root of the space. */
	async 'page-of-files'() {
		const member = await addUser('member', 'user', { fullName: 'A Member' });
		// Also creates an admin: otherwise the server would create one at its first start, which would take longer.
		await addUser('owner', 'admin');
		const types = [
			{ ending: 'pdf', contentType: 'application/pdf' },
			{ ending: 'jpg', contentType: 'image/jpeg' },
			{ ending: 'zip', contentType: 'application/zip' },
		] as const;
		for (let number = 1; number <= count; number += 1) {
			const { ending, contentType } = types[number % types.length] ?? types[0];
			const name = `${String(number).padStart(3, '0')} Worksheet of the week.${ending}`;
			await addFile(member.id, name, Buffer.from(`bench ${number}`), contentType);
		}
		return { token: await signIn(member), durability: await readDurability() };
	},

	/**
	 * A member, nine admins and COUNT other members. `readers` are the tokens of users who may read the member's
	 * conversation, the member first. The conversation's last message number is set to 100,000.
	 */
	async 'event-streams'() {
		const seeded = await inTransaction(deps.db, async (tx) => {
			const addToken = async (name: string, role: 'user' | 'admin') =>
				signIn(await addUser(name, role, { tx, fullName: 'A Person' }), tx);
			const member = await addUser('member', 'user', { tx, fullName: 'A Person' });
			const readers = [await signIn(member, tx)];
			for (let number = 1; number <= 9; number += 1) readers.push(await addToken(`admin.${number}`, 'admin'));
			const others: string[] = [];
			for (let number = 1; number <= count; number += 1) others.push(await addToken(`other.${number}`, 'user'));
			const now = deps.clock.now().toISOString();
			await lockConversation(tx, member.id, now);
			await updateConversation(tx, member.id, { last_sequence: 100_000, last_at: now });
			return { memberId: member.id, readers, others };
		});
		return { ...seeded, durability: await readDurability() };
	},

	/** An admin, a file of another user, and COUNT members with a session each. */
	async processes() {
		const admin = await addUser('admin', 'admin');
		const owner = await addUser('owner.of.the.file', 'user');
		const { fileId } = await addFile(owner.id, 'shared.bin', Buffer.from('shared with each of them'));
		const members = await inTransaction(deps.db, async (tx) => {
			const added = [];
			for (let number = 1; number <= count; number += 1) {
				const member = await addUser(`member.${String(number).padStart(6, '0')}`, 'user', { tx });
				added.push({ ...member, token: await signIn(member, tx) });
			}
			return added;
		});
		return { adminToken: await signIn(admin), fileId, members };
	},
};

/** `node bench/seeds/seed-small.ts KIND [COUNT]`: fills an empty installation, and prints tokens and IDs. */
const kind = kinds[process.argv[2] as keyof typeof kinds];
await finishSeeding(await kind());
