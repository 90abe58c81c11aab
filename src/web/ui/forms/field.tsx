import {
	NativeSelect,
	type NativeSelectProps,
	PasswordInput,
	type PasswordInputProps,
	TextInput,
	type TextInputProps,
} from '@mantine/core';
import { IconAlertCircle, IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { iconProps, smallIconProps } from '../primitives/icon.ts';
import classes from './field.module.css';

/** The sentence below a field in error, with its mark. Undefined while there is none. */
export function fieldError(sentence: string | undefined): ReactNode {
	if (sentence === undefined || sentence === '') return undefined;
	return (
		<span className={classes.error}>
			<IconAlertCircle {...smallIconProps} />
			<span>{sentence}</span>
		</span>
	);
}

type WithError<T> = Omit<T, 'error'> & {
	/** A sentence, or nothing. */
	error?: string | undefined;
};

/** A labelled line of text. Errors stand below it and are read with it. */
export function TextField({ error, ...rest }: WithError<TextInputProps>) {
	return <TextInput error={fieldError(error)} {...rest} />;
}

/** A password that can be shown while it is typed. */
export function PasswordField({ error, ...rest }: WithError<PasswordInputProps>) {
	return (
		<PasswordInput
			error={fieldError(error)}
			// Mantine marks its box, not the input that people hear.
			aria-invalid={error === undefined ? undefined : true}
			visibilityToggleIcon={({ reveal }) => (reveal ? <IconEyeOff {...iconProps} /> : <IconEye {...iconProps} />)}
			visibilityToggleButtonProps={{ 'aria-label': m.common_show_password(), className: classes.toggle, tabIndex: 0 }}
			rightSectionWidth={40}
			{...rest}
		/>
	);
}

/** A choice out of a list, as the browser draws it: best on phones and for screen readers. */
export function SelectField({ error, ...rest }: WithError<NativeSelectProps>) {
	return (
		<NativeSelect error={fieldError(error)} rightSection={<IconChevronDown {...iconProps} size={16} />} {...rest} />
	);
}
