import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AccessCalls } from './call.ts';
import type { AccessWorld } from './world.ts';

const edition = 'part-1-en';
const nobodys = 'AAAAAAAAAAAAAAAAAAAAAA';
const place = { page: 3, pageCount: 10, offset: 0.25, chapter: 'Belief', readAt: '2026-11-20T03:00:00.000Z' };
const mark = {
	kind: 'highlight',
	page: 3,
	boxes: [[0.1, 0.2, 0.3, 0.4]],
	quote: 'Begin.',
	note: 'Today',
	color: 'green',
	chapter: 'Belief',
};

/** A mark of R's and of D's own that is there. */
async function freshMark(world: AccessWorld, actor: string): Promise<string> {
	const id = randomUUID();
	if (actor === 'R' || actor === 'D')
		await world.send(actor, 'PUT', { url: `/api/reading/${edition}/marks/${id}`, body: mark });
	return id;
}

function marksOf({ deps, userIds }: AccessWorld, actor: string, id = '') {
	return deps.db
		.selectFrom('reading_marks')
		.select(['note', 'document'])
		.where('user_id', '=', userIds[actor] ?? '')
		.where('id', '=', id)
		.execute();
}

/** Places and marks in what one may read, and what the owner sees of them. */
export const readingCalls: AccessCalls = {
	'GET /api/reading/:document': {
		async request(world, actor) {
			const target = await freshMark(world, actor);
			return { url: `/api/reading/${edition}`, target };
		},
		absent: () => ({ url: `/api/reading/${nobodys}` }),
		check(_world, response, { target }) {
			const { marks } = response.json();
			expect(marks.find(({ id }: { id: string }) => id === target)).toMatchObject(mark);
		},
	},
	'PUT /api/reading/:document/place': {
		request: () => ({ url: `/api/reading/${edition}/place`, body: place }),
		absent: () => ({ url: `/api/reading/${nobodys}/place`, body: place }),
		async check({ deps, userIds }, response, _request, actor) {
			expect(response.json()).toEqual(place);
			const rows = await deps.db
				.selectFrom('reading_places')
				.select(['document', 'page'])
				.where('user_id', '=', userIds[actor] ?? '')
				.execute();
			expect(rows).toEqual([{ document: edition, page: 3 }]);
		},
	},
	'PUT /api/reading/:document/marks/:id': {
		request() {
			const target = randomUUID();
			return { url: `/api/reading/${edition}/marks/${target}`, body: mark, target };
		},
		absent: () => ({ url: `/api/reading/${nobodys}/marks/${randomUUID()}`, body: mark }),
		async check(world, response, { target }, actor) {
			expect(response.json()).toMatchObject({ id: target, ...mark });
			expect(await marksOf(world, actor, target)).toEqual([{ note: 'Today', document: edition }]);
		},
	},
	'DELETE /api/reading/:document/marks/:id': {
		async request(world, actor) {
			const target = await freshMark(world, actor);
			return { url: `/api/reading/${edition}/marks/${target}`, target };
		},
		absent: () => ({ url: `/api/reading/${nobodys}/marks/${randomUUID()}` }),
		async check(world, response, { target }, actor) {
			expect(response.json()).toEqual({});
			expect(await marksOf(world, actor, target)).toEqual([]);
		},
	},
	'GET /api/reading-export': {
		async request(world, actor) {
			await freshMark(world, actor);
			return { url: '/api/reading-export?format=json' };
		},
		check(_world, response, _request, actor) {
			const documents = response.json().documents.map(({ document }: { document: string }) => document);
			expect(documents).toEqual(actor === 'D' ? [edition] : []);
		},
	},
	'GET /api/reading-stats': {
		request: () => ({ url: '/api/reading-stats' }),
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ readers: expect.any(Number), editions: [{ key: edition }] }),
	},
	'GET /api/reading-stats/people': {
		request: () => ({ url: `/api/reading-stats/people?edition=${edition}` }),
		check(world, response) {
			const emails = response.json().items.map(({ email }: { email: string }) => email);
			// The admin's own looks into the book are none of a reader's.
			expect(emails).toEqual(emails.length === 0 ? [] : [world.emails.R]);
		},
	},
};
