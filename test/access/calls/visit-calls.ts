import { expect } from 'vitest';
import { visitDefaults } from '#contract/storefront/visits.ts';
import type { AccessCalls } from './access-call.ts';

const chrome =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

let sites = 0;

/** The visit beacon, and the visit figures that admins see. */
export const visitCalls: AccessCalls = {
	'POST /api/visits': {
		request() {
			sites += 1;
			const referrer = `https://site-${sites}.example`;
			const body = { event: 'visit', page: '/', referrer };
			return { url: '/api/visits', body, headers: { 'user-agent': chrome }, target: referrer };
		},
		async check({ deps }, response, { target = '' }, actor) {
			expect(response.json()).toEqual({});
			const rows = await deps.db.selectFrom('visits').select('kind').where('referrer', '=', target).execute();
			// Visits of the owner are not recorded.
			expect(rows).toEqual(actor === 'D' ? [] : [{ kind: 'person' }]);
		},
	},
	'GET /api/visits-summary': {
		request: () => ({ url: '/api/visits-summary?days=30' }),
		check(_world, response) {
			const { days, ...summary } = response.json();
			expect(days).toHaveLength(30);
			expect(summary).toMatchObject({ totalVisits: expect.any(Number), uniqueVisitors: expect.any(Number) });
		},
	},
	'GET /api/visit-addresses': {
		request: () => ({ url: '/api/visit-addresses' }),
		check: (_world, response) => expect(response.json()).toMatchObject({ items: expect.any(Array), nextCursor: null }),
	},
	'GET /api/settings/visits': {
		request: () => ({ url: '/api/settings/visits' }),
		check: (_world, response) => expect(response.json()).toMatchObject(visitDefaults),
	},
	'PUT /api/settings/visits': {
		async request(world) {
			const { version } = (await world.send('D', 'GET', { url: '/api/settings/visits' })).json();
			return { url: '/api/settings/visits', body: { ...visitDefaults, version }, target: String(version) };
		},
		async check({ deps }, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
			const row = await deps.db.selectFrom('settings').select('version').where('key', '=', 'visits').executeTakeFirst();
			expect(row?.version).toBe(Number(target) + 1);
		},
	},
};
