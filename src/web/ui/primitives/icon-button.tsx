import { Tooltip } from '@mantine/core';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
	/** Text for the icon: accessible name and tooltip. */
	label: string;
	icon: ReactNode;
	variant?: 'default' | 'quiet';
	size?: 'small' | 'medium';
	ref?: Ref<HTMLButtonElement>;
}

/** A square button with only an icon. */
export function IconButton(props: IconButtonProps) {
	const { label, icon, variant = 'quiet', size = 'medium', className = '', ...rest } = props;
	return (
		// While its menu is open, the button needs no tooltip.
		<Tooltip label={label} disabled={String(rest['aria-expanded']) === 'true'}>
			<button
				type="button"
				aria-label={label}
				className={`${classes.button} ${className}`}
				data-variant={variant}
				data-size={size}
				{...rest}
			>
				{icon}
			</button>
		</Tooltip>
	);
}

interface PlainIconButtonProps {
	label: string;
	icon: ReactNode;
	onClick: () => void;
	hasMenu?: boolean;
	isOpen?: boolean;
}

/** An icon button without a tooltip component: a list may scroll through 100,000 rows, and each must be cheap. */
export function PlainIconButton({ label, icon, onClick, hasMenu, isOpen }: PlainIconButtonProps) {
	return (
		<button
			type="button"
			className={classes.button}
			data-variant="quiet"
			data-size="small"
			aria-label={label}
			title={label}
			aria-haspopup={hasMenu ? 'menu' : undefined}
			aria-expanded={hasMenu ? isOpen : undefined}
			onClick={onClick}
		>
			{icon}
		</button>
	);
}
