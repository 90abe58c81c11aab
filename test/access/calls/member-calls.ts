import { expect } from 'vitest';
import { readZip } from '../../support/documents/read-zip.ts';
import { tinyPdf } from '../../support/fixtures/files.ts';
import { fileBytes, fileName, posterOf, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, equals, matches, reads, sends } from './access-call.ts';

/** Calls for members, which return data that the caller may read. */
export const memberCalls: AccessCalls = {
	'GET /api/spaces/:owner/nodes': reads(
		({ spaces, shared }, actor) =>
			`/api/spaces/${spaces[actor]}/nodes${spaces[actor] === sharer ? `?path=${shared.path}` : ''}`,
		(fixture, response, _request, actor) => {
			const owner = fixture.spaces[actor];
			const { items, ...space } = response.json();
			expect(space).toMatchObject({ space: { email: owner }, can: { write: actor === 'D' } });
			const nodes = items.map(({ id, name }: { id: string; name: string }) => [id, name]);
			expect(nodes).toContainEqual([fixture.files[owner], fileName(owner)]);
		},
		{ absent: '/api/spaces/nobody@example.com/nodes' },
	),
	'GET /api/files/:id': reads(
		({ files, spaces }, actor) => `/api/files/${files[spaces[actor]]}`,
		matches(({ fixture: { files, spaces }, actor }) => ({
			file: { id: files[spaces[actor]], name: fileName(spaces[actor]) },
		})),
		{ absent: `/api/files/${absentId}` },
	),
	'GET /api/files/:id/content': reads(
		({ files, spaces }, actor) => `/api/files/${files[spaces[actor]]}/content`,
		sends(({ fixture, actor }) => fileBytes(fixture.spaces[actor])),
		{ absent: `/api/files/${absentId}/content`, hasRanges: true },
	),
	'GET /api/files/:id/thumb': reads(
		({ videos, spaces }, actor) => `/api/files/${videos[spaces[actor]]}/thumb`,
		sends(({ fixture, actor }) => posterOf(fixture.spaces[actor]), 'image/webp'),
		{ absent: `/api/files/${absentId}/thumb`, hasRanges: true },
	),
	'GET /api/archive': reads(
		({ files, spaces }, actor) => `/api/archive?ids=${files[spaces[actor]]}`,
		(fixture, { statusCode, rawPayload, headers }, _request, actor) => {
			const owner = fixture.spaces[actor];
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('application/zip');
			expect(readZip(rawPayload)).toMatchObject([{ name: fileName(owner), bytes: fileBytes(owner) }]);
		},
		{ absent: `/api/archive?ids=${absentId}` },
	),
	'GET /api/editions/:key/content': reads(
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
		{ absent: '/api/editions/part-2-hi/content', hasRanges: true },
	),
	'GET /api/me': reads(
		'/api/me',
		equals(({ fixture, actor }) => ({
			id: fixture.userIds[actor],
			email: actor === 'D' ? 'admin@example.com' : 'own@example.com',
			name: null,
			role: actor === 'D' ? 'admin' : 'user',
			hasInitialPassword: false,
			mustSetUpTwoFactor: false,
			view: null,
		})),
	),
	'GET /api/me/export': reads('/api/me/export', (fixture, response, _request, actor) => {
		expect(response.headers['content-disposition']).toContain('attachment');
		expect(response.json()).toMatchObject({ profile: { id: fixture.userIds[actor] } });
		expect(response.body).not.toContain('bystander@example.com');
	}),
	'GET /api/shelf': reads('/api/shelf', (_world, response, _request, actor) => {
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
			// The position exists only if the test that stores it has already run.
			place: expect.toBeOneOf([null, expect.objectContaining({ page: 3, pageCount: 10 })]),
		};
		const shelf = actor === 'D' ? { access: 'open', editions: [edition] } : { access: 'none', editions: [] };
		expect(response.json()).toEqual({ title: 'Build Your Empire', ...shelf });
	}),
	'GET /api/outline-pairs': reads('/api/outline-pairs', equals({ parts: [] })),
	'GET /api/events': {
		request: (_world, actor) => ({ url: '/api/events', isStream: actor === 'O' || actor === 'D' }),
		async check({ deps }, response) {
			const stream = response.stream();
			const [chunk] = (await new Promise((resolve) => stream.once('data', (data) => resolve([data])))) as [Buffer];
			expect(chunk.toString()).toBe('retry: 1000\n\n');
			expect(response.headers['content-type']).toBe('text/event-stream');
			stream.destroy();
			expect(deps.live.count()).toBeGreaterThanOrEqual(0);
		},
	},
};
