import { Tooltip } from '@mantine/core';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
	/** The word that the icon stands for: accessible name and tooltip. */
	label: string;
	icon: ReactNode;
	variant?: 'default' | 'quiet';
	size?: 'small' | 'medium';
	ref?: Ref<HTMLButtonElement>;
}

/** A square button that shows only an icon. */
export function IconButton({
	label,
	icon,
	variant = 'quiet',
	size = 'medium',
	className,
	type,
	ref,
	...rest
}: IconButtonProps) {
	return (
		// An open menu says more than the word of its button.
		<Tooltip label={label} disabled={String(rest['aria-expanded']) === 'true'}>
			<button
				ref={ref}
				type={type ?? 'button'}
				aria-label={label}
				className={className === undefined ? classes.button : `${classes.button} ${className}`}
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

/** An icon button without a tooltip component of its own: a hundred thousand rows pass by, each must cost little. */
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
