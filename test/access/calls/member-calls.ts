import { expect } from 'vitest';
import { readZip } from '../../support/documents/read-zip.ts';
import { tinyPdf } from '../../support/fixtures/files.ts';
import { fileBytes, fileName, posterOf, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, equals, matches, reads, sends } from './access-call.ts';

/** Calls that need a member and return the data of that member. */
export const memberCalls: AccessCalls = {
	'GET /api/spaces/:owner/nodes': reads(
		({ spaces, shared }, actor) =>
			`/api/spaces/${spaces[actor]}/nodes${spaces[actor] === sharer ? `?path=${shared.path}` : ''}`,
		(world, response, _request, actor) => {
			const owner = world.spaces[actor];
			const { items, ...space } = response.json();
			expect(space).toMatchObject({ space: { email: owner }, can: { write: actor === 'D' } });
			const nodes = items.map(({ id, name }: { id: string; name: string }) => [id, name]);
			expect(nodes).toContainEqual([world.files[owner], fileName(owner)]);
		},
		{ absent: '/api/spaces/nobody@example.com/nodes' },
	),
	'GET /api/files/:id': reads(
		({ files, spaces }, actor) => `/api/files/${files[spaces[actor]]}`,
		matches(({ world: { files, spaces }, actor }) => ({
			file: { id: files[spaces[actor]], name: fileName(spaces[actor]) },
		})),
		{ absent: `/api/files/${absentId}` },
	),
	'GET /api/files/:id/content': reads(
		({ files, spaces }, actor) => `/api/files/${files[spaces[actor]]}/content`,
		sends(({ world, actor }) => fileBytes(world.spaces[actor])),
		{ absent: `/api/files/${absentId}/content`, hasRanges: true },
	),
	'GET /api/files/:id/thumb': reads(
		({ videos, spaces }, actor) => `/api/files/${videos[spaces[actor]]}/thumb`,
		sends(({ world, actor }) => posterOf(world.spaces[actor]), 'image/webp'),
		{ absent: `/api/files/${absentId}/thumb`, hasRanges: true },
	),
	'GET /api/archive': reads(
		({ files, spaces }, actor) => `/api/archive?ids=${files[spaces[actor]]}`,
		(world, { statusCode, rawPayload, headers }, _request, actor) => {
			const owner = world.spaces[actor];
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('application/zip');
			expect(readZip(rawPayload)).toMatchObject([{ name: fileName(owner), bytes: fileBytes(owner) }]);
		},
		{ absent: `/api/archive?ids=${absentId}` },
	),
	'GET /api/editions/:key/content': reads(
		'/api/editions/part-1-en/content',
		(world, { statusCode, rawPayload, headers }, _request, actor) => {
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('application/pdf');
			// A viewer built into the browser would run scripts that the PDF contains.
			expect(headers['content-disposition']).toMatch(/^attachment/u);
			// An admin reads the original, and a member reads the member's own copy of it.
			expect(rawPayload).toEqual(actor === 'D' ? tinyPdf : world.watermarkedBytes);
			expect(world.watermarkedBytes.equals(tinyPdf)).toBe(false);
		},
		{ absent: '/api/editions/part-2-hi/content', hasRanges: true },
	),
	'GET /api/me': reads(
		'/api/me',
		equals(({ world, actor }) => ({
			id: world.userIds[actor],
			email: actor === 'D' ? 'admin@example.com' : 'own@example.com',
			name: null,
			role: actor === 'D' ? 'admin' : 'user',
			hasInitialPassword: false,
			mustSetUpTwoFactor: false,
			view: null,
		})),
	),
	'GET /api/me/export': reads('/api/me/export', (world, response, _request, actor) => {
		expect(response.headers['content-disposition']).toContain('attachment');
		expect(response.json()).toMatchObject({ profile: { id: world.userIds[actor] } });
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
			// The position is there only if the call that stores it was made before.
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
