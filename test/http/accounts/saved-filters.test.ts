import { describe, expect, test } from 'vitest';
import type { SavedFilter } from '#contract/accounts/saved-filters.ts';
import { limits } from '#contract/core/limits.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { joinAs } from '../../support/app/users.ts';

const { testApp, deps } = await openTestApp();

async function joinAdmin() {
	const { client, id, email } = await joinAs(testApp, 'admin');
	const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
		client.call(method, `/api/saved-filters${path}`, body);
	return {
		id,
		email,
		client,
		add: (name: string, query = 'status=Pending', list = 'orders') => call('POST', '', { list, name, query }),
		update: (filterId: string, changes: object) => call('PUT', `/${filterId}`, changes),
		remove: (filterId: string) => call('DELETE', `/${filterId}`),
		list: async (list = 'orders'): Promise<SavedFilter[]> => (await call('GET', `?list=${list}`)).json().items,
	};
}

describe('saved filters', () => {
	test('are listed by name for each list, changed and deleted, with audit entries and an event', async () => {
		const own = await joinAdmin();
		const events = await openEventStream(await listen(testApp.app), own.client.cookie());
		const unpaid = (await own.add(' Unpaid ')).json();
		expect(await events.waitFor('saved-filters')).toEqual({ topic: 'saved-filters' });
		events.close();
		expect(unpaid).toEqual({ id: unpaid.id, name: 'Unpaid', query: 'status=Pending' });
		const asha = (await own.add('asha', 'search=asha%40&sort=oldest')).json();
		const users = (await own.add('Unpaid', 'book=pending', 'users')).json();
		expect(await own.list()).toEqual([asha, unpaid]);
		expect(await own.list('users')).toEqual([users]);

		expect((await own.update(unpaid.id, { name: 'Aa' })).json()).toEqual({ ...unpaid, name: 'Aa' });
		expect((await own.update(unpaid.id, { query: '' })).json()).toEqual({ ...unpaid, name: 'Aa', query: '' });
		expect((await own.update(asha.id, { name: 'ASHA' })).json()).toMatchObject({ name: 'ASHA' });
		expect((await own.list()).map(({ name }) => name)).toEqual(['Aa', 'ASHA']);
		expect((await own.remove(unpaid.id)).json()).toEqual({});
		expect((await own.remove(unpaid.id)).statusCode).toBe(404);
		expect((await own.list()).map(({ name }) => name)).toEqual(['ASHA']);
		const actions = (await listAuditEntries(testApp, unpaid.id)).map(({ action }) => action);
		expect(actions.sort()).toEqual(['filter-changed', 'filter-changed', 'filter-deleted', 'filter-saved']);
	});

	test('refuse a name that is in use, in any case, also for two requests at once', async () => {
		const own = await joinAdmin();
		const answers = await Promise.all([own.add('Ｎight'), own.add('night')]);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
		const other = (await own.add('Other')).json();
		const message = 'You already have saved filters with this name.';
		const refusal = { code: 'FILTER_NAME_IN_USE', fields: { name: message } };
		expect((await own.update(other.id, { name: 'NIGHT' })).json()).toMatchObject(refusal);
		expect((await own.list()).map(({ name }) => name)).toContain('Other');
	});

	test.each([
		['an empty name', { name: ' ' }],
		['a name that is too long', { name: 'x'.repeat(limits.savedFilterNameMaxLength + 1) }],
		['a name with a line break', { name: 'a\nb' }],
		['a query that is too long', { query: 'x'.repeat(limits.savedFilterQueryMaxBytes + 1) }],
		['a query with a character that an address cannot contain', { query: 'search=आ' }],
		['another list', { list: 'files' }],
	])('refuse %s', async (_what, fields) => {
		const { client } = await joinAdmin();
		const body = { list: 'users', name: 'Name', query: 'search=a', ...fields };
		const response = await client.call('POST', '/api/saved-filters', body);
		expect(response.json()).toMatchObject({ status: 422, code: 'INVALID_INPUT' });
	});

	test('are limited to 50 for each admin and list', async () => {
		const own = await joinAdmin();
		for (let count = 1; count < limits.savedFiltersMax; count += 1) await own.add(`Filter ${count}`);
		const answers = await Promise.all([own.add('One'), own.add('Two')]);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
		expect((await own.add('Three')).json()).toMatchObject({
			code: 'TOO_MANY_SAVED_FILTERS',
			message: 'You can save 50 filters for this list. Delete one first.',
		});
		expect((await own.add('Three', '', 'users')).statusCode).toBe(200);
		expect(await own.list()).toHaveLength(limits.savedFiltersMax);
	});

	test('of another admin do not exist, and are unchanged after a refused update and deletion', async () => {
		const own = await joinAdmin();
		const other = await joinAdmin();
		const { id } = (await own.add('Mine')).json();
		expect(await other.list()).toEqual([]);
		for (const refused of [await other.update(id, { name: 'Yours', query: '' }), await other.remove(id)])
			expect(refused.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
		expect(await own.list()).toEqual([{ id, name: 'Mine', query: 'status=Pending' }]);
		expect((await other.add('Mine')).statusCode).toBe(200);
	});

	test('are in the export of their admin, and are deleted with the account', async () => {
		const own = await joinAdmin();
		await own.add('Mine', 'sort=oldest');
		const at = testApp.clock.now().toISOString();
		const { savedFilters } = (await own.client.call('GET', '/api/me/export')).json();
		expect(savedFilters).toEqual([{ list: 'orders', name: 'Mine', query: 'sort=oldest', createdAt: at }]);
		const other = await joinAdmin();
		await other.client.call('POST', '/delete-user-all', { uid: own.id });
		expect(await findRows(deps, 'saved_filters', { user_id: own.id })).toEqual([]);
	});
});
