import { Group, Stack } from '@mantine/core';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { useEditor, useField } from '../editor/editor-context.ts';
import { listChangedTexts } from '../publishing/change-summary.ts';
import { ChangedTexts } from './changed-texts.tsx';
import classes from './fields.module.css';

/** Shows both texts when two admins changed the same one. Nothing is saved until the admin has chosen. */
export function FieldCollision({ field }: { field: ContentField }) {
	const { saver } = useEditor();
	const { value, saved } = useField(field);
	return (
		<Stack gap={10} role="alert" className={classes.collision}>
			<p>{saved.changedBy === null ? m.editor_collision() : m.editor_collision_with({ email: saved.changedBy })}</p>
			<ChangedTexts
				changes={listChangedTexts(field, value, saved.value)}
				names={{ before: m.editor_collision_own(), after: m.editor_collision_other() }}
			/>
			<Group gap={8}>
				<Button size="small" onClick={() => saver.resolve(field, 'own')}>
					{m.editor_collision_keep()}
				</Button>
				<Button size="small" onClick={() => saver.resolve(field, 'remote')}>
					{m.editor_collision_take()}
				</Button>
			</Group>
		</Stack>
	);
}
