import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BulkAction } from '#contract/bulk-actions/bulk-actions.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import {
	actionTexts,
	addResults,
	type BulkProgress,
	listSkipped,
	type RunSelection,
	reasonText,
	type SelectedUsers,
	startOf,
} from './bulk-run.ts';
import { GroupChoice } from './group-choice.tsx';

interface BulkActionDialogProps {
	action: BulkAction;
	/** The users who were selected when the dialog was opened. */
	selected: SelectedUsers;
	onClose: () => void;
	/** Called when all users are done. */
	onFinished: () => void;
}

/** Asks before an action changes several users, shows its progress, and then why users were skipped. */
export function BulkActionDialog({ selected, ...rest }: BulkActionDialogProps) {
	const isAll = 'filters' in selected;
	const input = isAll ? selected.filters : {};
	const counted = useQuery(
		api.bulkUserActions.count.queryOptions({ input, enabled: isAll, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }),
	);
	if (!isAll) return <BulkRunDialog {...rest} selection={selected} total={selected.ids.length} />;
	if (counted.data !== undefined && !counted.isRefetching) {
		const { count, until } = counted.data;
		return <BulkRunDialog {...rest} selection={{ filters: selected.filters, until }} total={count} />;
	}
	return (
		<Dialog onClose={rest.onClose} title={actionTexts[rest.action].label()}>
			{counted.isError ? (
				<FailedQuery text={m.bulk_count_failed()} query={counted} />
			) : (
				<SkeletonLines label={m.bulk_counting()} count={2} height="20px" />
			)}
		</Dialog>
	);
}

interface BulkRunDialogProps extends Omit<BulkActionDialogProps, 'selected'> {
	selection: RunSelection;
	total: number;
}

/** Runs the calls one after the other, until all users are done, a call fails, or the admin presses Stop. */
function useBulkRun({ action, selection, onFinished }: Omit<BulkRunDialogProps, 'onClose'>) {
	const [progress, setProgress] = useState(() => startOf(selection));
	const isStopping = useRef(false);
	const run = useChange(
		async (groupId: string | undefined) => {
			isStopping.current = false;
			let current = progress;
			while (current.next !== null && !isStopping.current) {
				const call = { action, selection: current.next, handled: current.handled, groupId };
				current = addResults(current, await client.bulkUserActions.run(call), selection);
				setProgress(current);
			}
			return current.next === null;
		},
		{
			refetch: [api.people.key(), api.bookGrants.key(), api.chatPerson.key(), api.mail.key()],
			onSuccess: (isFinished) => isFinished && onFinished(),
			onError: shownInForm,
		},
	);
	const states = { idle: 'asking', pending: 'running', error: 'failed', success: run.data ? 'finished' : 'stopped' };
	const state = states[run.status] as 'asking' | 'running' | 'failed' | 'stopped' | 'finished';
	return { progress, state, run, stop: () => (isStopping.current = true) };
}

function BulkRunDialog({ onClose, ...rest }: BulkRunDialogProps) {
	const { action, total } = rest;
	const { progress, state, run, stop } = useBulkRun(rest);
	const [groupId, setGroupId] = useState('');
	const [isConfirmed, setConfirmed] = useState(false);
	const texts = actionTexts[action];
	const isGroupMissing = action === 'add-to-group' && groupId === '';
	const isFinal = run.failure !== undefined && run.failure.status >= 400 && run.failure.status < 500;
	const isOver = state === 'finished' || total === 0;
	const confirm = () => {
		setConfirmed(true);
		if (!isGroupMissing) run.mutate(groupId || undefined);
	};
	return (
		<Dialog
			onClose={onClose}
			title={state === 'asking' ? texts.question({ count: total, shown: formatCount(total) }) : texts.label()}
			// The result stays until the admin closes it.
			isDismissible={state === 'asking'}
			footer={
				<>
					{!isOver && (
						<Button onClick={state === 'running' ? stop : onClose} data-autofocus>
							{state === 'running' ? m.bulk_stop() : state === 'asking' ? m.common_cancel() : m.common_close()}
						</Button>
					)}
					{isOver ? (
						// biome-ignore lint/a11y/noAutofocus: the button replaces the focused button when the action is finished.
						<Button key="close" variant="primary" onClick={onClose} autoFocus>
							{m.common_close()}
						</Button>
					) : (
						<Button
							variant={action === 'deactivate' && state === 'asking' ? 'danger' : 'primary'}
							onClick={confirm}
							disabled={state === 'running'}
						>
							{state === 'failed' || state === 'stopped' ? m.bulk_continue() : texts.label()}
						</Button>
					)}
				</>
			}
		>
			<Stack gap={12}>
				{state === 'asking' && <p>{total === 0 ? m.bulk_none() : texts.detail()}</p>}
				{state === 'asking' && action === 'add-to-group' && total > 0 && (
					<GroupChoice
						value={groupId}
						error={isConfirmed && isGroupMissing ? m.bulk_group_choose() : undefined}
						onChange={setGroupId}
					/>
				)}
				{(state === 'running' || state === 'failed' || state === 'stopped') && (
					<>
						<ProgressBar label={m.bulk_progress()} value={progress.handled / total} />
						<p role="status">{m.bulk_running({ done: formatCount(progress.handled), total: formatCount(total) })}</p>
					</>
				)}
				{state === 'failed' && <Notice tone="negative">{isFinal ? run.failure?.message : m.bulk_failed()}</Notice>}
				{state === 'stopped' && <Notice tone="info">{m.bulk_stopped()}</Notice>}
				{state !== 'asking' && state !== 'running' && <BulkResult {...{ action, progress, total }} />}
			</Stack>
			<UnsavedChangesGuard isUnsaved={state === 'running'} detail={m.bulk_leave()} />
		</Dialog>
	);
}

function BulkResult({ action, progress, total }: { action: BulkAction; progress: BulkProgress; total: number }) {
	const done = progress.outcomes.get('done')?.count ?? 0;
	const skipped = [...listSkipped(progress, total)];
	const skippedCount = skipped.reduce((sum, [, { count }]) => sum + count, 0);
	return (
		<Stack gap={8} role="status">
			<Text fw={600}>{actionTexts[action].result({ count: done, shown: formatCount(done) })}</Text>
			{skippedCount > 0 && <p>{m.bulk_skipped({ count: formatCount(skippedCount) })}</p>}
			{skippedCount > 0 && (
				<Box component="ul" m={0} pl={20} style={{ listStyle: 'disc' }}>
					{skipped.map(([reason, { count, emails }]) => (
						<li key={reason}>
							{m.bulk_reason({ reason: reasonText(reason, action), count: formatCount(count) })}
							{emails.length > 0 && (
								<Text c="dimmed" fz={13} style={{ overflowWrap: 'anywhere' }}>
									{emails.join(', ')}
									{count > emails.length && ` ${m.bulk_and_more({ count: formatCount(count - emails.length) })}`}
								</Text>
							)}
						</li>
					))}
				</Box>
			)}
		</Stack>
	);
}
