import { Group } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { type DraftOverview, isProblem } from '../draft/draft-saver.ts';
import classes from './editor.module.css';

/** Says whether what was typed is saved. Screen readers announce changes. */
export function DraftStatus({ overview, onRetry }: { overview: DraftOverview; onRetry: () => void }) {
	const { phase } = overview;
	return (
		<Group gap={8} className={classes.status} data-problem={isProblem(phase) || undefined}>
			<Group gap={6} role="status" wrap="nowrap">
				{isProblem(phase) && <IconAlertCircle {...smallIconProps} />}
				{phase === 'saved' && <IconCheck {...smallIconProps} />}
				<span>{statusText(overview)}</span>
			</Group>
			{phase === 'failed' && (
				<Button size="small" onClick={onRetry}>
					{m.common_retry()}
				</Button>
			)}
		</Group>
	);
}

function statusText({ phase, message, fields }: DraftOverview): string {
	if (phase === 'collision') return m.editor_status_collision();
	if (phase === 'failed') return m.editor_status_failed({ reason: message });
	if (phase === 'invalid') return m.editor_status_invalid();
	if (phase !== 'saved') return m.editor_status_saving();
	return fields.some(({ saved }) => saved.isChanged) ? m.editor_status_saved() : m.editor_status_published();
}
