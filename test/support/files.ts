import { randomUUID } from 'node:crypto';
import { inTransaction } from '#server/db/transaction.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createFolder, insertFile } from '#server/features/files/files.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';
import { makePdf } from './pdfs.ts';

/** A one-page PDF that every reader knows as such. */
export const tinyPdf = makePdf({ pages: [{ box: [0, 0, 9, 9] }] });

export interface FileToMake {
	/** A person's id, `guest` or `book`. */
	ownerId: string;
	name: string;
	bytes: Buffer;
	contentType?: string;
	/** The folder it goes into; the root by default. */
	folder?: { id: string; path: string } | undefined;
}

/** Puts a file into a space as a finished upload does. @returns its id */
export async function makeFile(deps: Deps, file: FileToMake): Promise<string> {
	const blobId = randomUUID();
	const storageKey = `files/test/${blobId}`;
	const stored = await deps.storage.put(storageKey, file.bytes);
	return inTransaction(deps.db, (tx) =>
		insertFile(deps, tx, {
			ownerId: file.ownerId,
			parent: file.folder ?? { id: null, path: '' },
			name: file.name,
			blob: { id: blobId, storageKey, ...stored, contentType: file.contentType ?? 'application/octet-stream' },
		}),
	);
}

/** Puts a film with a poster into a space; neither can be played or seen. @returns its id */
export async function makeFilm(
	deps: Deps,
	{ poster, ...film }: Omit<FileToMake, 'bytes' | 'contentType'> & { poster: Buffer },
): Promise<string> {
	const id = await makeFile(deps, { ...film, bytes: Buffer.from(film.name), contentType: 'video/mp4' });
	const thumbId = randomUUID();
	const storageKey = `thumbnails/${thumbId}.webp`;
	const { sizeBytes, sha256 } = await deps.storage.put(storageKey, poster);
	const now = isoAt(deps.clock);
	const blob = { id: thumbId, storage_key: storageKey, size_bytes: sizeBytes, sha256, content_type: 'image/webp' };
	await deps.db
		.insertInto('blobs')
		.values({ ...blob, created_at: now })
		.execute();
	const row = await deps.db.selectFrom('nodes').select('blob_id').where('id', '=', id).executeTakeFirstOrThrow();
	await deps.db
		.insertInto('thumbnails')
		.values({ blob_id: String(row.blob_id), thumb_blob_id: thumbId, made_at: now })
		.execute();
	return id;
}

/** Makes a folder in somebody's space through the service, as an admin would. @returns its id and the path of what lies in it */
export async function makeFolder(
	deps: Deps,
	owner: string,
	name: string,
	path = '',
): Promise<{ id: string; path: string }> {
	const actor = {
		userId: 'test',
		email: 'test',
		name: null,
		role: 'admin',
		sessionId: '',
		hasInitialPassword: false,
		mustSetUpTwoFactor: false,
		viewedBy: null,
	} as const;
	const folder = await createFolder(deps, { ...systemCaller, actor }, { owner, path, name });
	return { id: folder.id, path: [path, folder.realPath].filter(Boolean).join('/') };
}
