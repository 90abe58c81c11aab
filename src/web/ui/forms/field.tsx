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

export function fieldError(message: string | undefined): ReactNode {
	if (message === undefined || message === '') return undefined;
	return (
		<Flex component="span" gap={6} align="flex-start">
			<IconAlertCircle {...smallIconProps} style={{ marginTop: 2 }} />
			<span>{message}</span>
		</Flex>
	);
}

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
			// Mantine sets this attribute on the wrapper only, but screen readers announce the input.
			aria-invalid={error === undefined ? undefined : true}
			visibilityToggleIcon={({ reveal }) => (reveal ? <IconEyeOff {...iconProps} /> : <IconEye {...iconProps} />)}
			visibilityToggleButtonProps={{ 'aria-label': m.common_show_password(), w: 32, h: 32, c: 'dimmed', tabIndex: 0 }}
			rightSectionWidth={40}
			{...rest}
		/>
	);
}

/** Native, because a native select works best on phones and with screen readers. */
export function SelectField({ error, ...rest }: WithError<NativeSelectProps>) {
	return (
		<NativeSelect error={fieldError(error)} rightSection={<IconChevronDown {...iconProps} size={16} />} {...rest} />
	);
}
