import { Buffer } from 'node:buffer';

/** Opens the desk's import, and gives it a file. */
async function importFile(page, say, text) {
	await page
		.getByRole('button', { name: say('orders_statement'), exact: true })
		.locator('visible=true')
		.click();
	const buffer = Buffer.from(text);
	const dialog = page.getByRole('dialog');
	await dialog.locator('input[type=file]').setInputFiles({ name: 'November.csv', mimeType: 'text/csv', buffer });
	return dialog;
}

/** A statement with payments of every kind: the answer is invented, its orders are those of the desk. */
export async function readStatement(page, say) {
	const { items } = await (await page.request.get('/api/orders?limit=50')).json();
	const pending = items.filter(({ status }) => status === 'Pending');
	const done = items.filter(({ status }) => status === 'Complete');
	// What the desk marks is never ticked by itself.
	const isMarked = ({ oddFields, repeats }) => oddFields.length + repeats.length > 0;
	const lineOf = (order, at, changes = {}) => ({
		line: 9 + at,
		day: '2026-11-20',
		amount: order?.totalPrice ?? 499,
		text: `UPI-${(order?.name ?? 'FAREED ANSARI').toUpperCase()}-${order?.upiId ?? 'fareed@examplebank'}-EXMP0000001-63261234567${at}-BOOK`,
		kind: 'matched',
		why: null,
		reference: `63261234567${at}`,
		orderIds: order === undefined ? [] : [order.id],
		...changes,
	});
	const lines = [
		...pending
			.slice(0, 3)
			.map((order, at) => lineOf(order, at, isMarked(order) ? { kind: 'unclear', why: 'flagged' } : {})),
		lineOf(pending[3], 3, { kind: 'amount', amount: 399.5 }),
		lineOf(pending[4], 4, { kind: 'unclear', why: 'several-orders', orderIds: [pending[4]?.id, done[2]?.id] }),
		lineOf(undefined, 5, { kind: 'missing', reference: '' }),
		lineOf(undefined, 6, { kind: 'missing', reference: '' }),
		...done.slice(0, 2).map((order, at) => lineOf(order, 7 + at, { kind: 'complete' })),
	];
	const countOf = (kind) => lines.filter((line) => line.kind === kind).length;
	const counts = Object.fromEntries(
		['matched', 'amount', 'unclear', 'missing', 'complete'].map((kind) => [kind, countOf(kind)]),
	);
	const ids = new Set(lines.flatMap(({ orderIds }) => orderIds));
	const answer = {
		state: 'read',
		sample: [],
		columns: null,
		lines,
		orders: items.filter(({ id }) => ids.has(id)),
		counts,
		debits: 4,
		failed: 1,
		unread: 0,
		unreadLines: [],
	};
	await page.route('**/api/orders-statement', (route) => route.fulfill({ json: answer }));
	const dialog = await importFile(page, say, 'Date,Narration,Credit\n');
	await dialog.getByRole('heading', { name: say('orders_statement_matched') }).waitFor();
}

/** A statement whose header does not tell. */
export async function chooseColumns(page, say) {
	const rows = [
		'Tag;Text;Number;Sum',
		'20/11/2026;UPI ASHA RAO BOOK;632612345678;499.00',
		'21/11/2026;UPI PRESS WORKS PUNE;632600001111;-2,000.00',
	];
	const dialog = await importFile(page, say, rows.join('\n'));
	await dialog.getByRole('table').waitFor();
}

/** A web page under the name of a table, as some banks give it out. */
export async function refuseStatement(page, say) {
	const dialog = await importFile(page, say, '<html><table></table></html>');
	await dialog
		.getByRole('alert')
		.filter({ hasText: say('error_statement_unreadable') })
		.waitFor();
}
