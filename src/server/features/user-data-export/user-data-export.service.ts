import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { listOwnOrders } from '../orders/index.ts';
import { listShareRecordsFor } from '../sharing/index.ts';
import * as queries from './user-data-export.queries.ts';

const filesPerPage = 1000;
const messagesPerPage = 200;
const annotationsPerPage = 200;

/**
 * Everything that is kept about a person, as JSON in pieces: profile, sign-ins, sessions, orders with the facts of their
 * proofs, what is shared with them, how far they are in lessons and in what they read, the book given to them and their
 * copies of it, their marks and notes, what was said in their chat, and the files by name and size. No password, token or
 * key; nothing of anybody else.
 * @throws AppError UNAUTHORIZED when the account is gone
 */
export async function exportUserData(deps: Deps, { userId }: Pick<Actor, 'userId'>): Promise<AsyncGenerator<string>> {
	const profile = await queries.findProfile(deps.db, userId);
	if (profile === undefined) throw new AppError('UNAUTHORIZED');
	const summary = {
		exportedAt: isoAt(deps.clock),
		profile,
		signIns: await queries.listSignIns(deps.db, userId),
		sessions: await queries.listSessions(deps.db, userId),
		orders: await listOwnOrders(deps, userId),
		sharedWithMe: await listShareRecordsFor(deps, userId),
		lessons: await queries.listLessons(deps.db, userId),
		reading: await queries.listReadingPositions(deps.db, userId),
		bookGrant: (await queries.findBookAccess(deps.db, userId)) ?? null,
		bookCopies: await queries.listWatermarkedCopies(deps.db, userId),
	};
	return writeExport(deps, userId, summary);
}

/** What may be long comes last and page by page: a space may hold a hundred thousand files. */
async function* writeExport(deps: Deps, userId: string, summary: object): AsyncGenerator<string> {
	yield `${JSON.stringify(summary, null, '\t').slice(0, -2)},\n\t"marks": [`;
	yield* writeLines(readAnnotationPages(deps, userId));
	yield '\n\t],\n\t"chat": [';
	yield* writeLines(readChatPages(deps, userId));
	yield '\n\t],\n\t"files": [';
	yield* writeLines(readFilePages(deps, userId));
	yield '\n\t]\n}\n';
}

async function* writeLines(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
	let separator = '\n\t\t';
	for await (const page of pages) {
		if (page.length === 0) continue;
		yield separator + page.map((line) => JSON.stringify(line)).join(',\n\t\t');
		separator = ',\n\t\t';
	}
}

async function* readAnnotationPages({ db }: Deps, userId: string): AsyncGenerator<object[]> {
	for (let after = ''; ; ) {
		const page = await queries.listAnnotations(db, userId, after, annotationsPerPage);
		yield page.map(({ id: _id, ...mark }) => mark);
		const last = page.at(-1);
		if (last === undefined || page.length < annotationsPerPage) return;
		after = last.id;
	}
}

async function* readChatPages({ db }: Deps, userId: string): AsyncGenerator<object[]> {
	for (let after = 0; ; ) {
		const page = await queries.listMessages(db, userId, after, messagesPerPage);
		yield page.map(({ line }) => line);
		const last = page.at(-1);
		if (last === undefined || page.length < messagesPerPage) return;
		after = last.sequence;
	}
}

async function* readFilePages({ db }: Deps, userId: string): AsyncGenerator<object[]> {
	const folders = new Map((await queries.listFolders(db, userId)).map(({ realPath, name }) => [realPath, name]));
	for (let after = ''; ; ) {
		const page = await queries.listFiles(db, userId, after, filesPerPage);
		yield page.map(({ path, name, sizeBytes, uploadedAt }) => {
			const folder = path === '' ? [] : path.split('/').map((realPath) => folders.get(realPath) ?? realPath);
			return { folder, name, sizeBytes, uploadedAt };
		});
		const last = page.at(-1);
		if (last === undefined || page.length < filesPerPage) return;
		after = last.id;
	}
}
