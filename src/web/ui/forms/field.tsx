import {
	Flex,
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

/** Returns the error message below a field, with its icon; undefined if there is none. */
export function fieldError(message: string | undefined): ReactNode {
	if (message === undefined || message === '') return undefined;
	return (
		<Flex component="span" gap={6} align="flex-start">
			<IconAlertCircle {...smallIconProps} className={classes.icon} />
			<span>{message}</span>
		</Flex>
	);
}

/** Fields that belong together, below a line with their common name. */
export function FieldGroup({ legend, children }: { legend: ReactNode; children: ReactNode }) {
	return (
		<fieldset className={classes.group}>
			<legend>{legend}</legend>
			{children}
		</fieldset>
	);
}

type WithError<T> = Omit<T, 'error'> & {
	error?: string | undefined;
};

export function TextField({ error, ...rest }: WithError<TextInputProps>) {
	return <TextInput error={fieldError(error)} {...rest} />;
}

export function PasswordField({ error, ...rest }: WithError<PasswordInputProps>) {
	return (
		<PasswordInput
			error={fieldError(error)}
			// Mantine marks the wrapper, but screen readers announce the input.
			aria-invalid={error === undefined ? undefined : true}
			visibilityToggleIcon={({ reveal }) => (reveal ? <IconEyeOff {...iconProps} /> : <IconEye {...iconProps} />)}
			visibilityToggleButtonProps={{ 'aria-label': m.common_show_password(), className: classes.toggle, tabIndex: 0 }}
			rightSectionWidth={40}
			{...rest}
		/>
	);
}

/** A native select element: works best on phones and with screen readers. */
export function SelectField({ error, ...rest }: WithError<NativeSelectProps>) {
	return (
		<NativeSelect error={fieldError(error)} rightSection={<IconChevronDown {...iconProps} size={16} />} {...rest} />
	);
}
