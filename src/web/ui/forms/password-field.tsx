import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { m } from '#messages';
import { iconProps } from '../primitives/icon.ts';
import { fieldError, type WithError } from './field.tsx';

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
