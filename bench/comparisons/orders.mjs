import { prepareDataSizes } from '../measure/data-sizes.mjs';

const list = '/api/orders?limit=50';
const pages = {
	first: list,
	pending: `${list}&status=Pending`,
	search: `${list}&search=meera.na`,
	broad: `${list}&search=someone`,
	nobody: `${list}&search=nobody-at-all`,
	short: `${list}&search=zq`,
};

/**
 * Compares order management with 100,000 orders and with 1,000: the first page, a filter, searches that find 50, nearly
 * all and no orders, and how long each search blocks the event loop. The orders shown are the same in both, so that
 * bodies have the same length; every order has a proof.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export function prepareOrders(bench) {
	const counts = { many: bench.form === 'once' ? 2000 : 100_000, few: 1000 };
	const found = {
		nobody: 'that finds nobody',
		search: 'that finds 50',
		broad: 'that finds nearly all',
		short: 'of 2 signs',
	};
	return prepareDataSizes(bench, {
		area: 'orders',
		counts,
		findPages: async () => pages,
		itemsOf: (page) => (page === 'nobody' || page === 'short' ? 0 : 50),
		rows: [
			{ label: 'first page of 50 orders, p50, ms', page: 'first' },
			{ label: 'the Pending ones, p50, ms', page: 'pending' },
			...Object.entries(found).flatMap(([page, what]) => [
				{ label: `search ${what}, p50, ms`, page },
				{ label: `search ${what}, p95, ms`, page: `${page}P95` },
				{ label: `search ${what}, longest event-loop lag, ms`, page: `${page}Lag` },
			]),
		],
		figure: 'p50Ms',
		connections: 1,
		seconds: { full: 1.5, short: 0.5, once: 0.1 }[bench.form],
		note: `${counts.many} orders beside ${counts.few}`,
	});
}
