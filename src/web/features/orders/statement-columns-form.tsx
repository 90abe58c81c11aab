import { useState } from 'react';
import type { StatementColumns } from '#contract/orders/statement.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { letterOf } from './statement.ts';
import classes from './statement-dialog.module.css';

const labels: Readonly<Record<keyof StatementColumns, () => string>> = {
	date: m.orders_statement_column_date,
	amount: m.orders_statement_column_amount,
	text: m.orders_statement_column_text,
	direction: m.orders_statement_column_direction,
};
const names = ['date', 'amount', 'text', 'direction'] as const;
const sampleLength = 24;

interface StatementColumnsFormProps {
	/** The first rows. */
	sample: string[][];
	/** What they were taken for. */
	columns: StatementColumns | null;
	/** Whether the header did not tell. */
	isAsked: boolean;
	isBusy: boolean;
	onRead: (columns: StatementColumns) => void;
}

/** Which column is which, said beside the first rows. */
export function StatementColumnsForm({ sample, columns, isAsked, isBusy, onRead }: StatementColumnsFormProps) {
	const [chosen, setChosen] = useState<Partial<StatementColumns>>(columns ?? {});
	const width = Math.max(0, ...sample.map((row) => row.length));
	const places = Array.from({ length: width }, (_, place) => place);
	const { date, amount, text } = chosen;
	const named =
		date !== undefined && amount !== undefined && text !== undefined ? { ...chosen, date, amount, text } : undefined;
	const exampleOf = (place: number) =>
		(sample.find((row) => (row[place] ?? '') !== '')?.[place] ?? '').slice(0, sampleLength);
	return (
		<section className={classes.columns} aria-label={m.orders_statement_columns_own()}>
			<p role="status">{isAsked ? m.orders_statement_columns() : m.orders_statement_columns_own()}</p>
			<div className={classes.fields}>
				{names.map((name) => (
					<SelectField
						key={name}
						label={labels[name]()}
						value={chosen[name] === undefined ? '' : String(chosen[name])}
						onChange={({ currentTarget: { value } }) =>
							setChosen({ ...chosen, [name]: value === '' ? undefined : Number(value) })
						}
						data={[
							{
								value: '',
								label: name === 'direction' ? m.orders_statement_column_absent() : m.orders_statement_column_none(),
							},
							...places.map((place) => ({
								value: String(place),
								label: m.orders_statement_column({ letter: letterOf(place), sample: exampleOf(place) }),
							})),
						]}
					/>
				))}
			</div>
			<div>
				<Button
					variant="primary"
					disabled={named === undefined || isBusy}
					onClick={() => named !== undefined && onRead(named)}
				>
					{isBusy ? m.orders_statement_reading() : m.orders_statement_read()}
				</Button>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by keys */}
			<section className={classes.sample} aria-label={m.orders_statement_first_rows()} tabIndex={0}>
				<table>
					<caption>{m.orders_statement_first_rows()}</caption>
					<thead>
						<tr>
							{places.map((place) => (
								<th key={place} scope="col">
									{letterOf(place)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{sample.map((row, at) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
							<tr key={at}>
								{places.map((place) => (
									<td key={place}>{row[place]}</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</section>
		</section>
	);
}
