import { Stack } from '@mantine/core';
import { m } from '#messages';
import textClasses from '#web/ui/primitives/text.module.css';
import type { ChangedText } from '../publishing/change-summary.ts';
import classes from './fields.module.css';

interface ChangedTextsProps {
	changes: readonly ChangedText[];
	names: { before: string; after: string };
}

const maxShown = 4;

/** Two versions of the texts of a field, side by side. */
export function ChangedTexts({ changes, names }: ChangedTextsProps) {
	const rest = changes.length - maxShown;
	return (
		<Stack gap={8}>
			{changes.slice(0, maxShown).map(({ label, before, after }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: two changes may have the same label.
				<div key={index}>
					{label !== '' && <p className={textClasses.note}>{label}</p>}
					<dl className={classes.change}>
						<dt>{names.before}</dt>
						<dd>{before}</dd>
						<dt>{names.after}</dt>
						<dd>{after}</dd>
					</dl>
				</div>
			))}
			{rest > 0 && <p className={textClasses.note}>{m.editor_more_changes({ count: rest })}</p>}
		</Stack>
	);
}
