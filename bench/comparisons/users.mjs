import { prepareDataSizes } from '../measure/data-sizes.mjs';

const pages = {
	first: '/api/users?limit=12',
	search: '/api/users?limit=12&search=meera.na',
	nobody: '/api/users?limit=12&search=nobody-at-all',
	admins: '/api/users?limit=12&filter=admins',
};

/**
 * Compares the admin dashboard with 10,000 users and with 100: the first page, a search, the admins. The users shown
 * are the same in both, so that bodies have the same length; every user has a file and an order.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export function prepareUsers(bench) {
	const counts = { many: bench.form === 'once' ? 1000 : 10_000, few: 100 };
	return prepareDataSizes(bench, {
		area: 'users',
		counts,
		findPages: async () => pages,
		itemsOf: (page) => ({ nobody: 0, admins: 1 })[page] ?? 12,
		rows: [
			{ label: 'first page of 12 people, p50, ms', page: 'first' },
			{ label: 'search that finds 12, p50, ms', page: 'search' },
			{ label: 'search that finds nobody, p50, ms', page: 'nobody' },
			{ label: 'the admins, p50, ms', page: 'admins' },
		],
		figure: 'p50Ms',
		connections: 1,
		seconds: { full: 1.5, short: 0.5, once: 0.1 }[bench.form],
		note: `${counts.many} people beside ${counts.few}`,
	});
}
