import { expect } from 'vitest';
import { visitDefaults } from '#contract/storefront/visits.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { type AccessCalls, call, matches, savesSettings } from './access-call.ts';

const chrome =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

let referrerCount = 0;

export const visitCalls: AccessCalls = {
	'POST /api/visits': call(
		() => {
			referrerCount += 1;
			const referrer = `https://site-${referrerCount}.example`;
			const body = { event: 'visit', page: '/', referrer };
			return { body, headers: { 'user-agent': chrome }, target: referrer };
		},
		async ({ deps }, response, { target = '' }, actor) => {
			expect(response.json()).toEqual({});
			const rows = await findRows(deps, 'visits', { referrer: target });
			// Visits of the owner are not recorded.
			expect(rows).toMatchObject(actor === 'D' ? [] : [{ kind: 'person' }]);
		},
	),
};

export const adminVisitCalls: AccessCalls = {
	'GET /api/visits-summary': call('?days=30', (_world, response) => {
		const { days, ...summary } = response.json();
		expect(days).toHaveLength(30);
		expect(summary).toMatchObject({ totalVisits: expect.any(Number), uniqueVisitors: expect.any(Number) });
	}),
	'GET /api/visit-addresses': call({}, matches({ items: expect.any(Array), nextCursor: null })),
	'GET /api/settings/visits': call({}, matches(visitDefaults)),
	'PUT /api/settings/visits': savesSettings('visits', () => visitDefaults),
};
