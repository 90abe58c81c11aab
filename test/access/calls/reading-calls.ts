import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AccessFixture } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import { type AccessCalls, absentId, equals, leavesRows, matches, reads } from './access-call.ts';

const edition = 'part-1-en';
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

/** Filters the annotations of the actor by the ID that the call is about. */
const ofActor = (id: string, { world, actor }: { world: AccessFixture; actor: Actor }) => {
	return { id, user_id: world.userIds[actor] ?? '' };
};

/** Reading positions and annotations in readable documents, and what the owner sees of them. */
export const readingCalls: AccessCalls = {
	'GET /api/reading/:document': {
		async request(world, actor) {
			return { url: `/api/reading/${edition}`, target: await freshAnnotation(world, actor) };
		},
		absent: () => ({ url: `/api/reading/${absentId}` }),
		check(_world, response, { target }) {
			const { marks } = response.json();
			expect(marks.find(({ id }: { id: string }) => id === target)).toMatchObject(annotation);
		},
	},
	'PUT /api/reading/:document/place': {
		request: () => ({ url: `/api/reading/${edition}/place`, body: readingPosition }),
		absent: () => ({ url: `/api/reading/${absentId}/place`, body: readingPosition }),
		check: [
			equals(readingPosition),
			leavesRows('reading_positions', (_target, { world, actor }) => ({ user_id: world.userIds[actor] ?? '' }), [
				{ document: edition, page: 3 },
			]),
		],
	},
	'PUT /api/reading/:document/marks/:id': {
		request() {
			const target = randomUUID();
			return { url: `/api/reading/${edition}/marks/${target}`, body: annotation, target };
		},
		absent: () => ({ url: `/api/reading/${absentId}/marks/${randomUUID()}`, body: annotation }),
		check: [
			matches(({ target }) => ({ id: target, ...annotation })),
			leavesRows('annotations', ofActor, [{ note: 'Today', document: edition }]),
		],
	},
	'DELETE /api/reading/:document/marks/:id': {
		async request(world, actor) {
			const target = await freshAnnotation(world, actor);
			return { url: `/api/reading/${edition}/marks/${target}`, target };
		},
		absent: () => ({ url: `/api/reading/${absentId}/marks/${randomUUID()}` }),
		check: [equals({}), leavesRows('annotations', ofActor, [])],
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
	'GET /api/reading-stats': reads(
		'/api/reading-stats',
		matches({ readers: expect.any(Number), editions: [{ key: edition }] }),
	),
	'GET /api/reading-stats/people': reads(`/api/reading-stats/people?edition=${edition}`, (world, response) => {
		const emails = response.json().items.map(({ email }: { email: string }) => email);
		// The statistics do not count the admin as a reader.
		expect(emails).toEqual(emails.length === 0 ? [] : [world.emails.R]);
	}),
};
