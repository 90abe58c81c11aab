import { readFileSync } from 'node:fs';
import * as ui from './steps.mjs';

const importFile = (text) => async (page, t) => {
	await ui.role('button', 'orders_statement')(page, t).locator('visible=true').click();
	const file = { name: 'November.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
	await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
};

/** Imports the demo's statement, which has payments with every kind of match. */
export const readStatement = (file) =>
	ui.steps(
		(page, t) => importFile(readFileSync(file))(page, t),
		...['matched', 'amount', 'unclear', 'missing', 'complete'].map((kind) =>
			ui.see(ui.inDialog(ui.rolePart('heading', `orders_statement_${kind}`))),
		),
	);

/** Imports a statement whose header does not identify the columns, and waits for the table in which they are chosen. */
export const chooseColumns = ui.steps(
	importFile(
		'Tag;Text;Number;Sum\n20/11/2026;UPI ASHA RAO BOOK;632612345678;499.00\n21/11/2026;UPI PRESS WORKS PUNE;632600001111;-2,000.00',
	),
	ui.see(ui.inDialog(ui.role('table'))),
);

/** Imports an HTML page that is named .csv, as some banks export it. */
export const chooseInvalidStatement = ui.steps(
	importFile('<html><table></table></html>'),
	ui.see(ui.inDialog((dialog, t) => dialog.getByRole('alert').filter({ hasText: t('error_statement_unreadable') }))),
);
