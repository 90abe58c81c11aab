import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AccessFixture, Actor } from '../access-fixture.ts';
import { type AccessCalls, call, equals, leavesRows, matches } from './access-call.ts';

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

/** Creates an annotation for R and D. @returns the ID of the annotation; for other actors, an unused ID */
async function freshAnnotation(fixture: AccessFixture, actor: string): Promise<string> {
	const id = randomUUID();
	if (actor === 'R' || actor === 'D')
		await fixture.send(actor, 'PUT', { url: `/api/reading/${edition}/marks/${id}`, body: annotation });
	return id;
}

const ofActor = (id: string, { fixture, actor }: { fixture: AccessFixture; actor: Actor }) => {
	return { id, user_id: fixture.userIds[actor] ?? '' };
};

export const readingCalls: AccessCalls = {
	'GET /api/reading/:document': call(
		async (fixture, actor) => ({ url: `/api/reading/${edition}`, target: await freshAnnotation(fixture, actor) }),
		(_world, response, { target }) => {
			const { marks } = response.json();
			expect(marks.find(({ id }: { id: string }) => id === target)).toMatchObject(annotation);
		},
	),
	'PUT /api/reading/:document/place': call(
		{ url: `/api/reading/${edition}/place`, body: readingPosition },
		equals(readingPosition),
		leavesRows('reading_positions', (_target, { fixture, actor }) => ({ user_id: fixture.userIds[actor] ?? '' }), [
			{ document: edition, page: 3 },
		]),
	),
	'PUT /api/reading/:document/marks/:id': call(
		() => {
			const target = randomUUID();
			return { url: `/api/reading/${edition}/marks/${target}`, body: annotation, target };
		},
		matches(({ target }) => ({ id: target, ...annotation })),
		leavesRows('annotations', ofActor, [{ note: 'Today', document: edition }]),
	),
	'DELETE /api/reading/:document/marks/:id': call(
		async (fixture, actor) => {
			const target = await freshAnnotation(fixture, actor);
			return { url: `/api/reading/${edition}/marks/${target}`, target };
		},
		equals({}),
		leavesRows('annotations', ofActor, []),
	),
};

export const readingExportCalls: AccessCalls = {
	'GET /api/reading-export': call(
		async (fixture, actor) => {
			await freshAnnotation(fixture, actor);
			return '?format=json';
		},
		(_world, response, _request, actor) => {
			const documents = response.json().documents.map(({ document }: { document: string }) => document);
			expect(documents).toEqual(actor === 'D' ? [edition] : []);
		},
	),
};

export const readingStatsCalls: AccessCalls = {
	'GET /api/reading-stats': call({}, matches({ readers: expect.any(Number), editions: [{ key: edition }] })),
	'GET /api/reading-stats/people': call(`?edition=${edition}`, (fixture, response) => {
		const emails = response.json().items.map(({ email }: { email: string }) => email);
		// The statistics do not count the admin as a reader.
		expect(emails).toEqual(emails.length === 0 ? [] : [fixture.emails.R]);
	}),
};
