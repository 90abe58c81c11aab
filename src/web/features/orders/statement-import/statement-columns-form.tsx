import { Flex } from '@mantine/core';
import { useState } from 'react';
import type { StatementColumns } from '#contract/orders/statement-import.ts';
import { m } from '#messages';
import { SelectField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './statement-dialog.module.css';
import { columnLetter } from './statement-matches.ts';

const columnFields = [
	{ name: 'date', label: m.orders_statement_column_date },
	{ name: 'amount', label: m.orders_statement_column_amount },
	{ name: 'text', label: m.orders_statement_column_text },
	{ name: 'direction', label: m.orders_statement_column_direction },
] as const;
const maxSampleLength = 24;

interface StatementColumnsFormProps {
	sample: string[][];
	columns: StatementColumns | null;
	/** Whether the user must select the columns, because the header was not recognised. */
	isRequired: boolean;
	isBusy: boolean;
	onSubmit: (columns: StatementColumns) => void;
}

export function StatementColumnsForm({ sample, columns, isRequired, isBusy, onSubmit }: StatementColumnsFormProps) {
	const [chosen, setChosen] = useState<Partial<StatementColumns>>(columns ?? {});
	const width = Math.max(0, ...sample.map((row) => row.length));
	const columnIndexes = Array.from({ length: width }, (_, columnIndex) => columnIndex);
	const { date, amount, text } = chosen;
	const completeColumns =
		date !== undefined && amount !== undefined && text !== undefined ? { ...chosen, date, amount, text } : undefined;
	const sampleOf = (columnIndex: number) =>
		(sample.find((row) => (row[columnIndex] ?? '') !== '')?.[columnIndex] ?? '').slice(0, maxSampleLength);
	return (
		<Flex component="section" direction="column" gap={16} aria-label={m.orders_statement_columns_own()}>
			<p role="status">{isRequired ? m.orders_statement_columns() : m.orders_statement_columns_own()}</p>
			<div className={classes.fields}>
				{columnFields.map(({ name, label }) => (
					<SelectField
						key={name}
						label={label()}
						value={chosen[name] === undefined ? '' : String(chosen[name])}
						onChange={({ currentTarget: { value } }) =>
							setChosen({ ...chosen, [name]: value === '' ? undefined : Number(value) })
						}
						data={[
							{
								value: '',
								label: name === 'direction' ? m.orders_statement_column_absent() : m.orders_statement_column_none(),
							},
							...columnIndexes.map((columnIndex) => ({
								value: String(columnIndex),
								label: m.orders_statement_column({ letter: columnLetter(columnIndex), sample: sampleOf(columnIndex) }),
							})),
						]}
					/>
				))}
			</div>
			<div>
				<Button
					variant="primary"
					disabled={completeColumns === undefined || isBusy}
					onClick={() => completeColumns !== undefined && onSubmit(completeColumns)}
				>
					{isBusy ? m.orders_statement_importing() : m.orders_statement_import()}
				</Button>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
			<section className={classes.sample} aria-label={m.orders_statement_first_rows()} tabIndex={0}>
				<table>
					<caption className={textClasses.hidden}>{m.orders_statement_first_rows()}</caption>
					<thead>
						<tr>
							{columnIndexes.map((columnIndex) => (
								<th key={columnIndex} scope="col">
									{columnLetter(columnIndex)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{sample.map((row, rowIndex) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other identity.
							<tr key={rowIndex}>
								{columnIndexes.map((columnIndex) => (
									<td key={columnIndex}>{row[columnIndex]}</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</section>
		</Flex>
	);
}
