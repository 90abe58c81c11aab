import { Flex, type FlexProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';
import { Notice } from '../states/notice.tsx';
import { LoadedSettings } from './loaded-settings.tsx';
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx';
import { type SettingsFormOptions, useSettingsForm } from './use-settings-form.ts';

interface LoadedFormProps<Saved extends { version: number }, Form extends object, Input extends object>
	extends SettingsFormOptions<Saved, Form, Input> {
	layout?: Pick<FlexProps, 'gap' | 'maw' | 'mt'>;
	labels: { save: string; saving: string };
	/** Whether an invalid field may be out of view. If so, the error is also shown beside the button. */
	isLong?: boolean;
	/** `footer`: the save button and the error of the last save. */
	children: (
		form: Omit<ReturnType<typeof useSettingsForm<Saved, Form, Input>>, 'submit' | 'isSaving' | 'saveError'>,
		footer: ReactNode,
		saved: Saved,
	) => ReactNode;
}

type SettingsFormProps<Saved extends { version: number }, Form extends object, Input extends object> = Pick<
	ComponentProps<typeof LoadedSettings<Saved>>,
	'query' | 'failed' | 'title'
> &
	Omit<LoadedFormProps<Saved, Form, Input>, 'saved' | 'refetch'>;

/** Loads settings and shows them in a form. Asks before the user leaves the form with unsaved changes. */
export function SettingsForm<Saved extends { version: number }, Form extends object, Input extends object>({
	query,
	failed,
	title,
	...form
}: SettingsFormProps<Saved, Form, Input>) {
	return (
		<LoadedSettings query={query} failed={failed} title={title}>
			{(saved, refetch) => <LoadedForm saved={saved} refetch={refetch} {...form} />}
		</LoadedSettings>
	);
}

function LoadedForm<Saved extends { version: number }, Form extends object, Input extends object>(
	props: LoadedFormProps<Saved, Form, Input>,
) {
	const { layout, labels, isLong = false, children, ...options } = props;
	const { submit, isSaving, saveError, ...form } = useSettingsForm(options);
	const footer = (
		<>
			{saveError !== undefined && (isLong || !saveError.isAtFields) && (
				<Notice tone="negative">{saveError.text}</Notice>
			)}
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? labels.saving : labels.save}
				</Button>
			</div>
		</>
	);
	return (
		<Flex component="form" direction="column" gap={16} miw={0} {...layout} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={form.isDirty} />
			{children(form, footer, options.saved)}
		</Flex>
	);
}
