import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AccessFixture } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

const edition = 'part-1-en';
const unknownId = 'AAAAAAAAAAAAAAAAAAAAAA';
const readingPosition = { page: 3, pageCount: 10, offset: 0.25, chapter: 'Belief', readAt: '2026-11-20T03:00:00.000Z' };
const annotation = {
	kind: 'highlight',
	page: 3,
	boxes: [[0.1, 0.2, 0.3, 0.4]],
	quote: 'Begin.',
	note: 'Today',
	color: 'green',
	chapter: 'Belief',
};

/** Adds an annotation if the actor is R or D. @returns its ID, which is unknown to the server for other actors */
async function freshAnnotation(world: AccessFixture, actor: string): Promise<string> {
	const id = randomUUID();
	if (actor === 'R' || actor === 'D')
		await world.send(actor, 'PUT', { url: `/api/reading/${edition}/marks/${id}`, body: annotation });
	return id;
}

function annotationsOf({ deps, userIds }: AccessFixture, actor: string, id = '') {
	return deps.db
		.selectFrom('annotations')
		.select(['note', 'document'])
		.where('user_id', '=', userIds[actor] ?? '')
		.where('id', '=', id)
		.execute();
}

/** Reading positions and annotations in readable documents, and what the owner sees of them. */
export const readingCalls: AccessCalls = {
	'GET /api/reading/:document': {
		async request(world, actor) {
			const target = await freshAnnotation(world, actor);
			return { url: `/api/reading/${edition}`, target };
		},
		absent: () => ({ url: `/api/reading/${unknownId}` }),
		check(_world, response, { target }) {
			const { marks } = response.json();
			expect(marks.find(({ id }: { id: string }) => id === target)).toMatchObject(annotation);
		},
	},
	'PUT /api/reading/:document/place': {
		request: () => ({ url: `/api/reading/${edition}/place`, body: readingPosition }),
		absent: () => ({ url: `/api/reading/${unknownId}/place`, body: readingPosition }),
		async check({ deps, userIds }, response, _request, actor) {
			expect(response.json()).toEqual(readingPosition);
			const rows = await deps.db
				.selectFrom('reading_positions')
				.select(['document', 'page'])
				.where('user_id', '=', userIds[actor] ?? '')
				.execute();
			expect(rows).toEqual([{ document: edition, page: 3 }]);
		},
	},
	'PUT /api/reading/:document/marks/:id': {
		request() {
			const target = randomUUID();
			return { url: `/api/reading/${edition}/marks/${target}`, body: annotation, target };
		},
		absent: () => ({ url: `/api/reading/${unknownId}/marks/${randomUUID()}`, body: annotation }),
		async check(world, response, { target }, actor) {
			expect(response.json()).toMatchObject({ id: target, ...annotation });
			expect(await annotationsOf(world, actor, target)).toEqual([{ note: 'Today', document: edition }]);
		},
	},
	'DELETE /api/reading/:document/marks/:id': {
		async request(world, actor) {
			const target = await freshAnnotation(world, actor);
			return { url: `/api/reading/${edition}/marks/${target}`, target };
		},
		absent: () => ({ url: `/api/reading/${unknownId}/marks/${randomUUID()}` }),
		async check(world, response, { target }, actor) {
			expect(response.json()).toEqual({});
			expect(await annotationsOf(world, actor, target)).toEqual([]);
		},
	},
	'GET /api/reading-export': {
		async request(world, actor) {
			await freshAnnotation(world, actor);
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
			// The statistics do not count the admin as a reader.
			expect(emails).toEqual(emails.length === 0 ? [] : [world.emails.R]);
		},
	},
};
