import { Group, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import {
	type ComparedStatement,
	type StatementAnswer,
	type StatementColumns,
	statementPath,
} from '#contract/orders/statement-import.ts';
import { m } from '#messages';
import { postFile, shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { formatSearchText } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { type BulkCompletePlan, planBulkComplete } from '../bulk-complete/bulk-complete.ts';
import { BulkCompleteDialog } from '../bulk-complete/bulk-complete-dialog.tsx';
import type { OrderDrafts } from '../management/order-drafts.ts';
import { StatementColumnsForm } from './statement-columns-form.tsx';
import { matchedOrderIds, pendingOrders, referencesByOrder } from './statement-matches.ts';
import { StatementReview } from './statement-review.tsx';

interface StatementDialogProps {
	drafts: OrderDrafts;
	onShowProofs: (order: Order) => void;
	onClose: () => void;
}

function postStatement({ file, columns }: { file: File; columns: StatementColumns | undefined }) {
	return postFile<StatementAnswer>(statementPath + formatSearchText({ ...columns }), file);
}

/** Matches a bank statement with orders, for review and a bulk Complete. Opens on mount. */
export function StatementDialog({ drafts, onShowProofs, onClose }: StatementDialogProps) {
	const importing = useChange(postStatement, { onError: shownInForm });
	const [file, setFile] = useState<File>();
	const [columns, setColumns] = useState<StatementColumns>();
	const [answer, setAnswer] = useState<StatementAnswer>();
	const [isChoosingColumns, setChoosingColumns] = useState(false);
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
	const [bulk, setBulk] = useState<BulkCompletePlan>();
	/** Whether the last bulk Complete has processed orders. A ref, because `reimport` can run before the next render. */
	const hasRun = useRef(false);
	const isTooLarge = file !== undefined && file.size > limits.statementMaxBytes;

	/** `choose` returns the IDs of the orders to select after the import. */
	const read = (
		statementFile: File,
		namedColumns: StatementColumns | undefined,
		choose: (statement: ComparedStatement) => ReadonlySet<string>,
	) => {
		importing.mutate(
			{ file: statementFile, columns: namedColumns },
			{
				onSuccess: (imported) => {
					setAnswer(imported);
					setColumns(namedColumns);
					setChoosingColumns(imported.state === 'columns');
					if (imported.state === 'read') setChosen(choose(imported));
				},
			},
		);
	};
	const importFile = (statementFile: File) => {
		importing.reset();
		setFile(statementFile);
		setAnswer(undefined);
		if (statementFile.size <= limits.statementMaxBytes) read(statementFile, undefined, matchedOrderIds);
	};
	const statement = answer?.state === 'read' && !isChoosingColumns ? answer : undefined;
	const pending = statement === undefined ? new Map<string, Order>() : pendingOrders(statement);
	const ready = [...chosen].flatMap((id) => pending.get(id) ?? []);

	/** Imports the statement again after a bulk Complete. Deselects orders that have changed, for a review. */
	const reimport = () => {
		setBulk(undefined);
		if (file === undefined || !hasRun.current) return;
		read(file, columns, (imported) => {
			const stillPending = pendingOrders(imported);
			const isUnchanged = (id: string) =>
				stillPending.has(id) && stillPending.get(id)?.version === pending.get(id)?.version;
			return new Set([...chosen].filter(isUnchanged));
		});
	};
	const leaveQuestion = m.orders_statement_leave_question({ count: ready.length });
	const isFirstStep = statement === undefined && !isChoosingColumns;
	const { failure } = importing;

	return (
		<Dialog
			onClose={onClose}
			isDirty={ready.length > 0}
			discardPrompt={{ question: leaveQuestion, confirmLabel: m.common_leave() }}
			title={m.orders_statement()}
			width={isFirstStep ? 560 : 960}
			footer={
				<>
					<Button onClick={onClose}>{statement === undefined ? m.common_cancel() : m.common_close()}</Button>
					{statement !== undefined && (
						<Button
							variant="primary"
							disabled={ready.length === 0 || importing.isPending}
							onClick={() => {
								hasRun.current = false;
								setBulk({ ...planBulkComplete(ready, drafts), references: referencesByOrder(statement) });
							}}
						>
							{m.orders_statement_complete_selected({ shown: formatCount(ready.length) })}
						</Button>
					)}
				</>
			}
		>
			<Stack gap={16}>
				{isFirstStep && (
					<Text c="var(--ink-2)" textWrap="pretty">
						{m.orders_statement_hint()}
					</Text>
				)}
				<Group gap="8px 12px">
					<FileButton
						label={m.orders_statement_choose()}
						accept=".csv,.txt,.tsv,text/csv,text/plain"
						icon={IconFileTypeCsv}
						disabled={importing.isPending}
						onFile={importFile}
					>
						{importing.isPending
							? m.orders_statement_importing()
							: file === undefined
								? m.orders_statement_choose()
								: m.orders_statement_other()}
					</FileButton>
					{file !== undefined && (
						<Text span c="var(--ink-2)" fz={13} style={{ overflowWrap: 'anywhere' }}>
							{file.name}
						</Text>
					)}
					{statement !== undefined && (
						<Button variant="quiet" onClick={() => setChoosingColumns(true)}>
							{m.orders_statement_change()}
						</Button>
					)}
				</Group>
				<InputError text={isTooLarge ? m.error_statement_too_large() : (failure?.fields.file ?? failure?.message)} />
				{answer !== undefined && file !== undefined && isChoosingColumns && (
					<StatementColumnsForm
						sample={answer.sample}
						columns={columns ?? answer.columns}
						isRequired={answer.state === 'columns'}
						isBusy={importing.isPending}
						onSubmit={(namedColumns) => read(file, namedColumns, matchedOrderIds)}
					/>
				)}
				{statement !== undefined && (
					<StatementReview statement={statement} chosen={chosen} onChoose={setChosen} onShowProofs={onShowProofs} />
				)}
			</Stack>
			{bulk !== undefined && (
				<BulkCompleteDialog
					plan={bulk}
					onClose={reimport}
					onSettled={() => {
						hasRun.current = true;
					}}
				/>
			)}
		</Dialog>
	);
}
