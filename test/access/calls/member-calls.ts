import { expect } from 'vitest';
import { editionDefaults } from '#contract/book/editions.ts';
import { readZip } from '../../support/documents/read-zip.ts';
import { tinyPdf } from '../../support/fixtures/files.ts';
import type { AccessFixture, Actor } from '../access-fixture.ts';
import { fileBytes, fileName, posterOf, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, call, equals, matches, sends, sendsRanges } from './access-call.ts';

const fileOf = ({ files, spaces }: AccessFixture, actor: Actor) => ({ target: files[spaces[actor]] });

export const readCalls: AccessCalls = {
	'GET /api/spaces/:owner/nodes': call(
		({ spaces, shared }, actor) => (spaces[actor] === sharer ? `?path=${shared.path}` : {}),
		(fixture, response, _request, actor) => {
			const owner = fixture.spaces[actor];
			const { items, ...space } = response.json();
			expect(space).toMatchObject({ space: { email: owner }, can: { write: actor === 'D' } });
			const nodes = items.map(({ id, name }: { id: string; name: string }) => [id, name]);
			expect(nodes).toContainEqual([fixture.files[owner], fileName(owner)]);
		},
	),
	'GET /api/files/:id': call(
		fileOf,
		matches(({ fixture: { files, spaces }, actor }) => ({
			file: { id: files[spaces[actor]], name: fileName(spaces[actor]) },
		})),
	),
	'GET /api/files/:id/content': call(
		fileOf,
		sends(({ fixture, actor }) => fileBytes(fixture.spaces[actor])),
		sendsRanges,
	),
	'GET /api/files/:id/thumb': call(
		({ videos, spaces }, actor) => ({ target: videos[spaces[actor]] }),
		sends(({ fixture, actor }) => posterOf(fixture.spaces[actor]), 'image/webp'),
		sendsRanges,
	),
};

export const archiveCalls: AccessCalls = {
	'GET /api/archive': {
		...call(
			({ files, spaces }, actor) => `?ids=${files[spaces[actor]]}`,
			(fixture, { statusCode, rawPayload, headers }, _request, actor) => {
				const owner = fixture.spaces[actor];
				expect(statusCode).toBe(200);
				expect(headers['content-type']).toBe('application/zip');
				expect(readZip(rawPayload)).toMatchObject([{ name: fileName(owner), bytes: fileBytes(owner) }]);
			},
		),
		absentUrl: `/api/archive?ids=${absentId}`,
	},
};

export const editionContentCalls: AccessCalls = {
	'GET /api/editions/:key/content': {
		...call(
			'/api/editions/part-1-en/content',
			(fixture, { statusCode, rawPayload, headers }, _request, actor) => {
				expect(statusCode).toBe(200);
				expect(headers['content-type']).toBe('application/pdf');
				// As an attachment, because the PDF viewer of a browser could run scripts in the PDF.
				expect(headers['content-disposition']).toMatch(/^attachment/u);
				// Admins receive the original, and members their own watermarked copy.
				expect(rawPayload).toEqual(actor === 'D' ? tinyPdf : fixture.watermarkedBytes);
				expect(fixture.watermarkedBytes.equals(tinyPdf)).toBe(false);
			},
			sendsRanges,
		),
		absentUrl: '/api/editions/part-2-hi/content',
	},
};

export const memberCalls: AccessCalls = {
	'GET /api/me': call(
		{},
		equals(({ fixture, actor }) => ({
			id: fixture.userIds[actor],
			email: fixture.emails[actor],
			name: null,
			role: actor === 'D' ? 'admin' : 'user',
			hasInitialPassword: false,
			mustSetUpTwoFactor: false,
			view: null,
		})),
	),
	'GET /api/me/export': call({}, (fixture, response, _request, actor) => {
		expect(response.headers['content-disposition']).toContain('attachment');
		expect(response.json()).toMatchObject({ profile: { id: fixture.userIds[actor] } });
		expect(response.body).not.toContain('bystander@example.com');
	}),
	'GET /api/shelf': call({}, (_world, response, _request, actor) => {
		const edition = {
			key: 'part-1-en',
			part: 1,
			language: 'en',
			copy: { state: 'ready' },
			size: tinyPdf.length,
			pageCount: null,
			version: expect.any(String),
			url: expect.stringMatching(/^\/api\/editions\/part-1-en\/content\?v=[\w-]+$/u),
			mayDownload: true,
			// The position is stored by another test, which may run later.
			place: expect.toBeOneOf([null, expect.objectContaining({ page: 3, pageCount: 10 })]),
		};
		const shelf = actor === 'D' ? { access: 'open', editions: [edition] } : { access: 'none', editions: [] };
		const offered = { parts: [editionDefaults.parts[0]], languages: [editionDefaults.languages[0]] };
		expect(response.json()).toEqual({ title: 'Build Your Empire', offered, ...shelf });
	}),
	'GET /api/outline-pairs': call({}, equals({ parts: [] })),
	'GET /api/events': call(
		(_world, actor) => ({ isStream: actor === 'O' || actor === 'D' }),
		async ({ deps }, response) => {
			const stream = response.stream();
			const [chunk] = (await new Promise((resolve) => stream.once('data', (data) => resolve([data])))) as [Buffer];
			expect(chunk.toString()).toBe('retry: 1000\n\n');
			expect(response.headers['content-type']).toBe('text/event-stream');
			stream.destroy();
			expect(deps.live.count()).toBeGreaterThanOrEqual(0);
		},
	),
};
