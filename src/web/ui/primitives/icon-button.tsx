import type { Icon } from '@tabler/icons-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { Tooltip } from '../overlays/tooltip.tsx';
import { iconProps } from './icon.ts';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
	label: string;
	icon: Icon;
	variant?: 'default' | 'quiet';
	size?: 'small' | 'medium';
	ref?: Ref<HTMLButtonElement>;
}

/** Without a tooltip component, whose cost is too high in lists with 100,000 rows. */
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
		// No tooltip while the button's menu is open.
		<Tooltip label={props.label} disabled={String(props['aria-expanded']) === 'true'}>
			<PlainIconButton {...props} />
		</Tooltip>
	);
}
