import { IconFileTypeCsv } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { ReadStatement, StatementAnswer, StatementColumns } from '#contract/orders/statement.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fault, FileButton } from '#web/ui/file-button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { useReadStatement } from './orders.api.ts';
import { type BulkPlan, planBulk } from './orders-bulk.ts';
import { BulkDialog } from './orders-bulk-dialog.tsx';
import type { OrderDrafts } from './orders-drafts.ts';
import { matchedIds, pendingOrders, referencesOf } from './statement.ts';
import { StatementColumnsForm } from './statement-columns-form.tsx';
import classes from './statement-dialog.module.css';
import { StatementReview } from './statement-review.tsx';

interface StatementDialogProps {
	drafts: OrderDrafts;
	onShowProofs: (order: Order) => void;
	onClose: () => void;
}

/** A bank's or UPI app's statement, compared with the orders: reviewed, then completed together. Mount it to open it. */
export function StatementDialog({ drafts, onShowProofs, onClose }: StatementDialogProps) {
	const reading = useReadStatement();
	const [file, setFile] = useState<File>();
	const [columns, setColumns] = useState<StatementColumns>();
	const [answer, setAnswer] = useState<StatementAnswer>();
	const [isChoosing, setChoosing] = useState(false);
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
	const [bulk, setBulk] = useState<BulkPlan>();
	/** Heard by the very press that completes: no drawing of this dialog lies between. */
	const hasRun = useRef(false);
	const [isTooLarge, setTooLarge] = useState(false);

	/** `choose`: what is chosen of what came. */
	const read = (
		wanted: File,
		named: StatementColumns | undefined,
		choose: (statement: ReadStatement) => ReadonlySet<string>,
	) => {
		reading.mutate(
			{ file: wanted, columns: named },
			{
				onSuccess: (came) => {
					setAnswer(came);
					setColumns(named);
					setChoosing(came.state === 'columns');
					if (came.state === 'read') setChosen(choose(came));
				},
			},
		);
	};
	const take = (wanted: File) => {
		reading.reset();
		setFile(wanted);
		setAnswer(undefined);
		setTooLarge(wanted.size > limits.statementMaxBytes);
		if (wanted.size <= limits.statementMaxBytes) read(wanted, undefined, matchedIds);
	};
	const statement = answer?.state === 'read' && !isChoosing ? answer : undefined;
	const pending = statement === undefined ? new Map<string, Order>() : pendingOrders(statement);
	const ready = [...chosen].flatMap((id) => pending.get(id) ?? []);

	/** What was not tried, or not reached, stays chosen; what changed meanwhile is looked at again first. */
	const lookAgain = () => {
		setBulk(undefined);
		if (file === undefined || !hasRun.current) return;
		read(file, columns, (came) => {
			const open = pendingOrders(came);
			return new Set([...chosen].filter((id) => open.has(id) && open.get(id)?.version === pending.get(id)?.version));
		});
	};
	const leaving = {
		question: m.orders_statement_leave_question({ count: ready.length }),
		confirmLabel: m.common_leave(),
	};
	const failure = reading.isError ? describeFailure(reading.error) : undefined;

	return (
		<Dialog
			isOpen
			onClose={onClose}
			isTyped={ready.length > 0}
			leaving={leaving}
			title={m.orders_statement()}
			width={statement === undefined && !isChoosing ? 560 : 960}
			foot={
				<>
					<Button onClick={onClose}>{statement === undefined ? m.common_cancel() : m.common_close()}</Button>
					{statement !== undefined && (
						<Button
							variant="primary"
							disabled={ready.length === 0 || reading.isPending}
							onClick={() => {
								hasRun.current = false;
								setBulk({ ...planBulk(ready, drafts), references: referencesOf(statement) });
							}}
						>
							{m.orders_statement_complete_selected({ shown: formatCount(ready.length) })}
						</Button>
					)}
				</>
			}
		>
			<div className={classes.body}>
				{statement === undefined && !isChoosing && <p className={classes.hint}>{m.orders_statement_hint()}</p>}
				<div className={classes.pick}>
					<FileButton
						label={m.orders_statement_choose()}
						accept=".csv,.txt,.tsv,text/csv,text/plain"
						icon={<IconFileTypeCsv {...iconProps} />}
						disabled={reading.isPending}
						onFile={take}
					>
						{reading.isPending
							? m.orders_statement_reading()
							: file === undefined
								? m.orders_statement_choose()
								: m.orders_statement_other()}
					</FileButton>
					{file !== undefined && <span className={classes.fileName}>{file.name}</span>}
					{statement !== undefined && (
						<Button variant="quiet" onClick={() => setChoosing(true)}>
							{m.orders_statement_change()}
						</Button>
					)}
				</div>
				<Fault text={isTooLarge ? m.error_statement_too_large() : (failure?.fields.file ?? failure?.message)} />
				{answer !== undefined && file !== undefined && isChoosing && (
					<StatementColumnsForm
						sample={answer.sample}
						columns={columns ?? answer.columns}
						isAsked={answer.state === 'columns'}
						isBusy={reading.isPending}
						onRead={(named) => read(file, named, matchedIds)}
					/>
				)}
				{statement !== undefined && (
					<StatementReview statement={statement} chosen={chosen} onChoose={setChosen} onShowProofs={onShowProofs} />
				)}
			</div>
			{bulk !== undefined && (
				<BulkDialog
					plan={bulk}
					onClose={lookAgain}
					onSettled={() => {
						hasRun.current = true;
					}}
				/>
			)}
		</Dialog>
	);
}
