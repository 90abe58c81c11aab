import { Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { iconProps } from './icon.ts';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
	label: string;
	icon: Icon;
	variant?: 'default' | 'quiet';
	size?: 'small' | 'medium';
	ref?: Ref<HTMLButtonElement>;
}

/** An icon button without a tooltip component: a list may scroll through 100,000 rows, and each must be cheap. */
export function PlainIconButton(props: IconButtonProps) {
	const { label, icon: ButtonIcon, variant = 'quiet', size = 'medium', className = '', ...rest } = props;
	return (
		<button
			type="button"
			aria-label={label}
			className={`${classes.button} ${className}`}
			data-variant={variant}
			data-size={size}
			{...rest}
		>
			<ButtonIcon {...iconProps} />
		</button>
	);
}

export function IconButton(props: IconButtonProps) {
	return (
		// While its menu is open, the button needs no tooltip.
		<Tooltip label={props.label} disabled={String(props['aria-expanded']) === 'true'}>
			<PlainIconButton {...props} />
		</Tooltip>
	);
}
