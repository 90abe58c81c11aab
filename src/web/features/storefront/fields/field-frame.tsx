import { Flex, Group, Stack } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { type FocusEvent, type ReactNode, useId } from 'react';
import { type Locale, languageNames, locales } from '#contract/core/text.ts';
import type { ContentField, ContentValue } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { InputError } from '#web/ui/primitives/file-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { isEqual } from '../draft/merge-values.ts';
import { fieldName } from '../editor/content-sections.ts';
import { type Change, useEditor, useField, useStorefrontLanguages } from '../editor/editor-context.ts';
import { listChangedTexts } from '../publishing/change-summary.ts';
import { ChangedTexts } from './changed-texts.tsx';
import classes from './fields.module.css';

export interface FieldInput<Field extends ContentField> {
	/** For the input that the label names. */
	inputProps: { id: string; 'aria-describedby': string | undefined; error: string | undefined };
	value: ContentValue<Field>;
	change: (next: Change<ContentValue<Field>>) => void;
	/** Error messages by path below the value. */
	errors: Record<string, string>;
}

interface FieldFrameProps<Field extends ContentField> {
	field: Field;
	hint?: string | undefined;
	/** Whether the field has several inputs with labels of their own. */
	isGroup?: boolean;
	children: (input: FieldInput<Field>) => ReactNode;
}

/** Label, inputs and state of a field. The field is saved at once when the focus leaves it. */
export function FieldFrame<Field extends ContentField>(props: FieldFrameProps<Field>) {
	const { field, hint, isGroup = false, children } = props;
	const { saver } = useEditor();
	const { value, defaultValue, saved, errors, phase, message, change } = useField(field);
	const id = useId();
	const name = fieldName(field);
	const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
		if (!currentTarget.contains(relatedTarget)) saver.leave(field);
	};
	const hintId = hint === undefined ? undefined : `${id}-hint`;
	return (
		<Stack gap={6} role="group" aria-label={name} onBlur={leave}>
			<Flex align="center" justify="space-between" gap={8} mih={28}>
				<Group gap={8} miw={0}>
					{isGroup ? (
						<h3 className={classes.name}>{name}</h3>
					) : (
						<label htmlFor={id} className={classes.name}>
							{name}
						</label>
					)}
					{!isEqual(value, saved.published) && <Badge tone="accent">{m.editor_changed()}</Badge>}
				</Group>
				{!isEqual(value, defaultValue) && (
					<Button
						size="small"
						variant="quiet"
						icon={IconRestore}
						aria-label={m.editor_restore_default_of({ name })}
						onClick={() => {
							change(defaultValue);
							saver.leave(field);
						}}
					>
						{m.editor_restore_default()}
					</Button>
				)}
			</Flex>
			{hint !== undefined && (
				<p id={hintId} className={textClasses.note}>
					{hint}
				</p>
			)}
			{children({ inputProps: { id, 'aria-describedby': hintId, error: errors[''] }, value, change, errors })}
			{isGroup && <InputError text={errors['']} />}
			{phase === 'failed' && <InputError text={message} />}
			{phase === 'collision' && <FieldCollision field={field} />}
			<FieldNotes field={field} />
		</Stack>
	);
}

/** Shows both texts when two admins changed the same one. Nothing is saved until the admin has chosen. */
function FieldCollision({ field }: { field: ContentField }) {
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

function FieldNotes({ field }: { field: ContentField }) {
	const { email } = useMe();
	const { value, defaultValue, saved } = useField(field);
	const { language } = useEditor();
	const { isChanged, changedBy, changedAt } = saved;
	const isDefault = (code: Locale) => isTexts(value) && isTexts(defaultValue) && value[code] === defaultValue[code];
	const untranslated = useStorefrontLanguages().filter((other) => isDefault(other) && !isDefault(language));
	return (
		<>
			{untranslated.map((other) => (
				<p key={other} className={textClasses.note}>
					{m.editor_other_language_default({ language: languageNames[other] })}
				</p>
			))}
			{isChanged && changedBy !== null && changedBy !== email && changedAt !== null && (
				<p className={textClasses.note}>{m.editor_changed_by({ email: changedBy, time: formatDateTime(changedAt) })}</p>
			)}
		</>
	);
}

/** A text in each language. */
export type Texts = Record<Locale, string>;

function isTexts(value: unknown): value is Texts {
	return locales.every((code) => typeof (value as Partial<Texts> | null)?.[code] === 'string');
}
