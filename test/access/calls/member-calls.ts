import { expect } from 'vitest';
import { readZip } from '../../support/documents/read-zip.ts';
import { tinyPdf } from '../../support/fixtures/files.ts';
import { fileBytes, fileName, posterOf, sharer } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

/** Calls that need a member and return the data of that member. */
export const memberCalls: AccessCalls = {
	'GET /api/spaces/:owner/nodes': {
		request: (world, actor) => ({
			url: `/api/spaces/${world.spaces[actor]}/nodes${world.spaces[actor] === sharer ? `?path=${world.shared.path}` : ''}`,
		}),
		absent: () => ({ url: '/api/spaces/nobody@example.com/nodes' }),
		check(world, response, _request, actor) {
			const owner = world.spaces[actor];
			expect(response.json()).toMatchObject({ space: { email: owner }, can: { write: actor === 'D' } });
			expect(response.json().items.map(({ id, name }: { id: string; name: string }) => [id, name])).toContainEqual([
				world.files[owner],
				fileName(owner),
			]);
		},
	},
	'GET /api/files/:id': {
		request: (world, actor) => ({ url: `/api/files/${world.files[world.spaces[actor]]}` }),
		absent: () => ({ url: '/api/files/AAAAAAAAAAAAAAAAAAAAAA' }),
		check(world, response, _request, actor) {
			const { spaces, files } = world;
			expect(response.json().file).toMatchObject({ id: files[spaces[actor]], name: fileName(spaces[actor]) });
		},
	},
	'GET /api/files/:id/content': {
		request: (world, actor) => ({ url: `/api/files/${world.files[world.spaces[actor]]}/content` }),
		absent: () => ({ url: '/api/files/AAAAAAAAAAAAAAAAAAAAAA/content' }),
		hasRanges: true,
		check(world, { statusCode, rawPayload }, _request, actor) {
			expect(statusCode).toBe(200);
			expect(rawPayload).toEqual(fileBytes(world.spaces[actor]));
		},
	},
	'GET /api/files/:id/thumb': {
		request: (world, actor) => ({ url: `/api/files/${world.videos[world.spaces[actor]]}/thumb` }),
		absent: () => ({ url: '/api/files/AAAAAAAAAAAAAAAAAAAAAA/thumb' }),
		hasRanges: true,
		check(world, { statusCode, rawPayload, headers }, _request, actor) {
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('image/webp');
			expect(rawPayload).toEqual(posterOf(world.spaces[actor]));
		},
	},
	'GET /api/archive': {
		request: (world, actor) => ({ url: `/api/archive?ids=${world.files[world.spaces[actor]]}` }),
		absent: () => ({ url: '/api/archive?ids=AAAAAAAAAAAAAAAAAAAAAA' }),
		check(world, { statusCode, rawPayload, headers }, _request, actor) {
			const owner = world.spaces[actor];
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('application/zip');
			expect(readZip(rawPayload)).toMatchObject([{ name: fileName(owner), bytes: fileBytes(owner) }]);
		},
	},
	'GET /api/editions/:key/content': {
		request: () => ({ url: '/api/editions/part-1-en/content' }),
		absent: () => ({ url: '/api/editions/part-2-hi/content' }),
		hasRanges: true,
		check(world, { statusCode, rawPayload, headers }, _request, actor) {
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('application/pdf');
			// A viewer built into the browser would run scripts that the PDF contains.
			expect(headers['content-disposition']).toMatch(/^attachment/u);
			// An admin reads the original, and a member reads the member's own copy of it.
			expect(rawPayload).toEqual(actor === 'D' ? tinyPdf : world.watermarkedBytes);
			expect(world.watermarkedBytes.equals(tinyPdf)).toBe(false);
		},
	},
	'GET /api/me': {
		request: () => ({ url: '/api/me' }),
		check(world, response, _request, actor) {
			expect(response.json()).toEqual({
				id: world.userIds[actor],
				email: actor === 'D' ? 'admin@example.com' : 'own@example.com',
				name: null,
				role: actor === 'D' ? 'admin' : 'user',
				hasInitialPassword: false,
				mustSetUpTwoFactor: false,
				view: null,
			});
		},
	},
	'GET /api/me/export': {
		request: () => ({ url: '/api/me/export' }),
		check(world, response, _request, actor) {
			expect(response.headers['content-disposition']).toContain('attachment');
			expect(response.json()).toMatchObject({ profile: { id: world.userIds[actor] } });
			expect(response.body).not.toContain('bystander@example.com');
		},
	},
	'GET /api/shelf': {
		request: () => ({ url: '/api/shelf' }),
		check(_world, response, _request, actor) {
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
			const isOpen = actor === 'D';
			expect(response.json()).toEqual({
				title: 'Build Your Empire',
				access: isOpen ? 'open' : 'none',
				editions: isOpen ? [edition] : [],
			});
		},
	},
	'GET /api/outline-pairs': {
		request: () => ({ url: '/api/outline-pairs' }),
		check: (_world, response) => expect(response.json()).toEqual({ parts: [] }),
	},
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
