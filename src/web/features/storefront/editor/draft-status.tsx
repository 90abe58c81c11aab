import { Group } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import type { DraftOverview } from '../draft/draft-saver.ts';
import classes from './editor.module.css';

/** Says whether what was typed is saved. Screen readers announce changes. */
export function DraftStatus({ overview, onRetry }: { overview: DraftOverview; onRetry: () => void }) {
	const { phase, message } = overview;
	const isProblem = phase === 'failed' || phase === 'invalid' || phase === 'collision';
	return (
		<Group gap={8} className={classes.status} data-problem={isProblem || undefined}>
			<Group gap={6} role="status" wrap="nowrap">
				{isProblem && <IconAlertCircle {...smallIconProps} />}
				{phase === 'saved' && <IconCheck {...smallIconProps} />}
				<span>{statusText(overview, message)}</span>
			</Group>
			{phase === 'failed' && (
				<Button size="small" onClick={onRetry}>
					{m.common_retry()}
				</Button>
			)}
		</Group>
	);
}

function statusText({ phase, fields }: DraftOverview, message: string): string {
	switch (phase) {
		case 'collision':
			return m.editor_status_collision();
		case 'failed':
			return m.editor_status_failed({ reason: message });
		case 'invalid':
			return m.editor_status_invalid();
		case 'waiting':
		case 'saving':
			return m.editor_status_saving();
		case 'saved':
			return fields.some(({ saved }) => saved.isChanged) ? m.editor_status_saved() : m.editor_status_published();
	}
}
