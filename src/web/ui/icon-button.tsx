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
