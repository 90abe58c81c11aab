import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AccountDeletion } from '#contract/accounts/deletion.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createFolder, insertFile } from '#server/features/files/tree/tree.service.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createDeps } from '#server/start.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type Client, signInOwner } from '../../support/services/server-client.ts';
import { waitUntil } from './report.ts';
import { checkFiles } from './server.ts';

/** A user that the test has created, with the ID of the account. */
export interface MemberWithFiles {
	id: string;
	email: string;
	fileCount: number;
}

/** Works directly on the data of a built server, as a command for the operator does. */
export async function withData<T>(server: BuiltServer, work: (deps: Deps) => Promise<T>): Promise<T> {
	const config = parseConfig({ DATA_DIR: server.dataDir, PUBLIC_URL: server.url, LOG_LEVEL: 'silent' });
	const deps = await createDeps(config);
	try {
		return await work(deps);
	} finally {
		await deps.bus.close();
		await deps.storage.close();
		await deps.connection.close();
	}
}

/** Fills a space with files in ten folders, two deep. */
export async function fillSpace(server: BuiltServer, { id, email, fileCount }: MemberWithFiles): Promise<void> {
	await withData(server, async (deps) => {
		const actor = { userId: 'resilience', email: 'resilience', name: null, role: 'admin', sessionId: '' } as const;
		const caller = {
			...systemCaller,
			actor: { ...actor, hasInitialPassword: false, mustSetUpTwoFactor: false, impersonatedBy: null },
		};
		const places: Array<{ id: string; path: string }> = [];
		for (let number = 0; number < 10; number += 1) {
			const above = number % 2 === 0 ? '' : (places.at(-1)?.path ?? '');
			const folder = await createFolder(deps, caller, { owner: email, path: above, name: `Folder ${number}` });
			places.push({ id: folder.id, path: [above, folder.realPath].filter(Boolean).join('/') });
		}
		const files = Array.from({ length: fileCount }, (_, number) => {
			const bytes = Buffer.from(`file ${number} of ${email}`);
			const sha256 = createHash('sha256').update(bytes).digest('hex');
			const storageKey = `files/${email}/${number % 10}/${randomUUID()}`;
			return { number, bytes, blob: { id: randomUUID(), storageKey, sizeBytes: bytes.length, sha256 } };
		});
		for (const { bytes, blob } of files) {
			const file = join(server.dataDir, 'storage', blob.storageKey);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, bytes);
		}
		await inTransaction(deps.db, async (tx) => {
			for (const { number, blob } of files) {
				await insertFile(deps, tx, {
					ownerId: id,
					parent: places[number % 10] ?? { id: null, path: '' },
					name: `${number}.txt`,
					blob: { ...blob, contentType: 'application/octet-stream' },
				});
			}
		});
	});
}

/** Waits until no account deletion runs; its duration is not part of the promise. @throws Error after two minutes */
export async function waitForDeletions(owner: Client): Promise<void> {
	const isDone = async () => (await owner.get<AccountDeletion[]>('/api/removals')).length === 0;
	await waitUntil(isDone, 'an account deletion still runs', 120_000);
}

/** Finds what is wrong after a deletion: remaining data of the deleted user, and data that others have lost. */
export async function checkDeletion(
	server: BuiltServer,
	gone: MemberWithFiles,
	others: MemberWithFiles[],
): Promise<string[]> {
	await waitForDeletions(await signInOwner(server.url));
	const wrong = await withData(server, (deps) => checkRows(deps, gone, others));
	const bytesLeft = await countStoredFiles(join(server.dataDir, 'storage', 'files', gone.email));
	if (bytesLeft > 0) wrong.push(`${bytesLeft} stored files of the deleted person are left`);
	const chunksLeft = await countStoredFiles(join(server.dataDir, 'uploads'));
	if (chunksLeft > 0) wrong.push(`${chunksLeft} pieces of unfinished uploads are left`);
	for (const other of others) {
		const bytes = await countStoredFiles(join(server.dataDir, 'storage', 'files', other.email));
		if (bytes !== other.fileCount) wrong.push(`${other.email} has ${bytes} stored files, not ${other.fileCount}`);
	}
	wrong.push(...(await checkFiles(server)));
	return wrong;
}

async function checkRows({ db }: Deps, gone: MemberWithFiles, others: MemberWithFiles[]): Promise<string[]> {
	const wrong: string[] = [];
	const left = {
		users: await db.selectFrom('users').select('id').where('id', '=', gone.id).execute(),
		nodes: await db.selectFrom('nodes').select('id').where('owner_id', '=', gone.id).execute(),
		blobs: await db.selectFrom('blobs').select('id').where('storage_key', 'like', `files/${gone.email}/%`).execute(),
		uploads: await db.selectFrom('uploads').select('id').where('owner_id', '=', gone.id).execute(),
		sessions: await db.selectFrom('sessions').select('id').where('user_id', '=', gone.id).execute(),
		sign_ins: await db.selectFrom('login_history').select('id').where('user_id', '=', gone.id).execute(),
		links: await db.selectFrom('password_links').select('id').where('user_id', '=', gone.id).execute(),
		mails: await db.selectFrom('outbox').select('id').where('recipient', '=', gone.email).execute(),
		jobs: await db.selectFrom('jobs').select('id').where('kind', '=', 'person-removal').execute(),
	};
	for (const [what, rows] of Object.entries(left)) if (rows.length > 0) wrong.push(`${rows.length} ${what} are left`);
	const orders = await db.selectFrom('orders').select('user_id').where('email', '=', gone.email).execute();
	if (orders.length !== 1 || orders[0]?.user_id !== null) wrong.push(`the order stands as ${JSON.stringify(orders)}`);
	const audit = await db.selectFrom('audit').select('id').where('action', '=', 'user-deleted').execute();
	if (audit.length !== 1) wrong.push(`the audit list names ${audit.length} deletions`);
	for (const { id, email, fileCount } of others) {
		const files = db.selectFrom('nodes').select('id').where('owner_id', '=', id).where('kind', '=', 'file');
		const count = (await files.execute()).length;
		if (count !== fileCount) wrong.push(`${email} has ${count} files, not ${fileCount}`);
	}
	return wrong;
}

/** Counts the files below a folder. */
async function countStoredFiles(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).length;
}
