import { randomBytes } from 'node:crypto';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { lockConversation, updateConversation } from '#server/features/chat/chat.queries.ts';
import { addToFolderTotals } from '#server/features/files/spaces/spaces.queries.ts';
import { queueThumbnail } from '#server/features/files/thumbnails/thumbnails.service.ts';
import { createFolder } from '#server/features/files/tree/tree.service.ts';
import type { Actor } from '#server/platform/actor.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { bindBook } from './bind-book.mjs';
import { makePhotographs } from './make-photographs.mjs';
import { makePictureBook } from './picture-book.ts';
import {
	addFile,
	addUser,
	blobRow,
	count,
	deps,
	finishSeeding,
	insertRows,
	nodeRow,
	password,
	readDurability,
	signIn,
} from './seeding.ts';

const kinds = {
	/** An admin, a member, and the four editions of the sample book, joined into one PDF in the book space. */
	async book() {
		const admin = await addUser('admin', 'admin');
		const member = await addUser('user', 'user', { fullName: 'A Reader' });
		const tokens = { admin: await signIn(admin), user: await signIn(member) };
		const file = await addFile('book', 'Four editions.pdf', await bindBook(), 'application/pdf');
		return { tokens, memberId: member.id, ...file };
	},

	/** An admin, COUNT members, and in the book space a book of one page and one of PAGES pages, see picture-book.ts. */
	async readers() {
		const [pageCount, areSizesDifferent] = [Number(process.argv[3]), process.argv[4] === 'different'];
		const admin = await addUser('admin', 'admin');
		const members = [];
		for (let number = 1; number <= count; number += 1) {
			const member = await addUser(`reader.${number}`, 'user', { fullName: `Reader ${number}` });
			members.push({ id: member.id, token: await signIn(member) });
		}
		const first = await addFile('book', 'First.pdf', await makePictureBook(1, false), 'application/pdf');
		const bytes = await makePictureBook(pageCount, areSizesDifferent);
		const second = await addFile('book', 'Second.pdf', bytes, 'application/pdf');
		return { adminToken: await signIn(admin), members, firstId: first.fileId, secondId: second.fileId };
	},

	/** A file of COUNT megabytes in the guest space, and an admin. */
	async 'large-file'() {
		const owner = await addUser('owner', 'admin');
		const file = await addFile('guest', 'large.bin', randomBytes(count * 1024 ** 2));
		return { token: await signIn(owner), ...file, email: owner.email, password, durability: await readDurability() };
	},

	/** A member with a file of COUNT megabytes. */
	async download() {
		await addUser('owner', 'admin');
		const member = await addUser('member', 'user', { fullName: 'A Member' });
		const file = await addFile(member.id, 'large.bin', randomBytes(count * 1_000_000));
		return { token: await signIn(member), ...file };
	},

	/** An admin, and COUNT folders in the guest space, named by their `paths`. */
	async uploads() {
		const admin = await addUser('owner', 'admin');
		const caller = { ...systemCaller, actor: { userId: admin.id, email: admin.email, role: 'admin' } as Actor };
		const paths: string[] = [];
		for (let number = 1; number <= count; number += 1) {
			const folder = await createFolder(deps, caller, { owner: 'guest', path: '', name: `Folder ${number}` });
			paths.push(folder.realPath ?? '');
		}
		return { token: await signIn(admin), paths, durability: await readDurability() };
	},

	/** A member with COUNT files at the root of the space. */
	async 'page-of-files'() {
		const member = await addUser('member', 'user', { fullName: 'A Member' });
		// Also creates an admin: otherwise the server would create one at its first start, which would take longer.
		await addUser('owner', 'admin');
		const types = [
			{ ending: 'pdf', group: 'pdf', contentType: 'application/pdf' },
			{ ending: 'jpg', group: 'images', contentType: 'image/jpeg' },
			{ ending: 'zip', group: 'compressed', contentType: 'application/zip' },
		] as const;
		const fileOf = (index: number) => {
			const name = `${String(index + 1).padStart(5, '0')} Worksheet of the week`;
			return { ...(types[index % types.length] ?? types[0]), name, sizeBytes: index + 1 };
		};
		await inTransaction(deps.db, async (tx) => {
			// The page does not read the bytes of files, so they are not stored.
			await insertRows(tx, 'blobs', count, (index) => blobRow(`blob-${index}`, fileOf(index)));
			await insertRows(tx, 'nodes', count, (index) => {
				const { name, ending, group: filter_group, sizeBytes: size_bytes } = fileOf(index);
				const own = { owner_id: member.id, blob_id: `blob-${index}`, ending, filter_group, size_bytes };
				return nodeRow({ ...own, id: newId(), name: `${name}.${ending}` });
			});
			await addToFolderTotals(tx, member.id, '', {
				folders: 0,
				files: count,
				sizeBytes: (count * (count + 1)) / 2,
			});
		});
		return { token: await signIn(member), durability: await readDurability() };
	},

	/** A member with 50 files, and COUNT photographs of 12 megapixels in the guest space, which wait for thumbnails. */
	async photographs() {
		const member = await addUser('member', 'user', { fullName: 'A Member' });
		await addUser('owner', 'admin');
		for (let number = 1; number <= 50; number += 1)
			await addFile(member.id, `${number} Worksheet.zip`, Buffer.from(`bench ${number}`), 'application/zip');
		for await (const { name, bytes } of makePhotographs(count)) await addPhotograph(name, bytes);
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

async function addPhotograph(name: string, bytes: Buffer): Promise<void> {
	const { blobId } = await addFile('guest', name, bytes, 'image/jpeg');
	await queueThumbnail(deps, deps.db, { id: blobId, contentType: 'image/jpeg' });
}

/** `node bench/seeds/seed-small.ts KIND [COUNT]`: fills an empty installation, and prints tokens and IDs. */
const kind = kinds[process.argv[2] as keyof typeof kinds];
await finishSeeding(await kind());
