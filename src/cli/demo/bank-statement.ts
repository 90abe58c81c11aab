import { writeFile } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { buyers, type DepsAt } from './sample-data.ts';

const header = ['Date', 'Narration', 'Chq./Ref.No.', 'Value Dt', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'];

interface Payment {
	daysAgo: number;
	text: string;
	reference: string;
	withdrawal?: number;
	deposit?: number;
}

/** Paid amounts that differ from the order's price, by the buyer's name. */
const otherDeposits: Readonly<Record<string, number>> = { 'Naveen Iyer': 399 };

const others: readonly Payment[] = [
	{ daysAgo: 6, text: 'NEFT DR-EXMP0000421-PRESS WORKS PUNE-PRINTING', reference: 'N318260004417', withdrawal: 42_000 },
	{ daysAgo: 5, text: 'UPI-COURIER POINT-courier@examplebank-PARCELS', reference: '531812004410', withdrawal: 1260 },
	{ daysAgo: 3, text: 'ATM-CASH WDL-SHIVAJI NAGAR', reference: '000000004471', withdrawal: 3000 },
	{ daysAgo: 2, text: 'UPI-FAREED ANSARI-fareed@examplebank-BOOK', reference: '532209118830', deposit: 499 },
	// This buyer entered no payment reference, so the import matches the order by amount and payer.
	{ daysAgo: 0, text: 'UPI-KAVITA RAO-kavita.rao@examplebank-BOOK', reference: '532411793352', deposit: 499 },
	{ daysAgo: 0, text: 'UPI-STATIONERS-stationers@examplebank-PAPER', reference: '532409001277', withdrawal: 380 },
];

/** Writes the shop's bank statement of the last ten days as a CSV file, which can be imported on the orders page. */
export async function writeStatement(at: DepsAt, file: string): Promise<void> {
	const paid = buyers.flatMap(({ name, upiId, proofs }): Payment[] => {
		const proof = proofs.find(({ utr }) => utr !== '');
		const reference = proof?.utr.replace(/\D/gu, '') ?? '';
		// Rahul Menon sent a screenshot of another buyer's payment, so the statement has no payment by him.
		if (proof === undefined || proof.daysAgo > 10 || name === 'Rahul Menon') return [];
		const text = `UPI-${name.toUpperCase()}-${upiId}-BOOK`;
		return [{ daysAgo: proof.daysAgo, text, reference, deposit: otherDeposits[name] ?? 499 }];
	});
	let balance = 61_240;
	const rows = [...paid, ...others]
		.toSorted((one, other) => other.daysAgo - one.daysAgo)
		.map(({ daysAgo, text, reference, withdrawal = 0, deposit = 0 }) => {
			balance += deposit - withdrawal;
			const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata' }).format(
				at(daysAgo, '12:00').clock.now(),
			);
			return [day, text, reference, day, amountOf(withdrawal), amountOf(deposit), amountOf(balance)];
		});
	await writeFile(file, stringify([header, ...rows]));
}

function amountOf(rupees: number): string {
	return rupees === 0 ? '' : rupees.toFixed(2);
}
