import { Flex, NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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

/** For a value that is saved although it is probably wrong. */
export function FieldWarning({ children }: { children: string }) {
	return (
		<Flex component="span" gap={6} align="flex-start" c="var(--ink)">
			<IconAlertTriangle {...smallIconProps} style={{ marginTop: 2 }} />
			<span>{children}</span>
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

export type WithError<T> = Omit<T, 'error'> & {
	error?: string | undefined;
};

export function TextField({ error, ...rest }: WithError<TextInputProps>) {
	return <TextInput error={fieldError(error)} {...rest} />;
}

/** Native, because a native select works best on phones and with screen readers. */
export function SelectField({ error, ...rest }: WithError<NativeSelectProps>) {
	return (
		<NativeSelect error={fieldError(error)} rightSection={<IconChevronDown {...iconProps} size={16} />} {...rest} />
	);
}
