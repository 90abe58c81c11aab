import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';

/** Opens the statement import of the orders page and chooses a file. */
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

/** Imports the demo's statement, which has payments of every kind; the server decides how each is matched. */
export function readStatement(file) {
	return async (page, say) => {
		const dialog = await importFile(page, say, await readFile(file));
		for (const kind of ['matched', 'amount', 'unclear', 'missing', 'complete'])
			await dialog.getByRole('heading', { name: say(`orders_statement_${kind}`) }).waitFor();
	};
}

/** Imports a statement whose header does not identify the columns, and chooses them. */
export async function chooseColumns(page, say) {
	const rows = [
		'Tag;Text;Number;Sum',
		'20/11/2026;UPI ASHA RAO BOOK;632612345678;499.00',
		'21/11/2026;UPI PRESS WORKS PUNE;632600001111;-2,000.00',
	];
	const dialog = await importFile(page, say, rows.join('\n'));
	await dialog.getByRole('table').waitFor();
}

/** Imports a web page named like a table, as some banks export it. */
export async function chooseInvalidStatement(page, say) {
	const dialog = await importFile(page, say, '<html><table></table></html>');
	await dialog
		.getByRole('alert')
		.filter({ hasText: say('error_statement_unreadable') })
		.waitFor();
}
