import { Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { iconProps } from './icon.ts';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
	/** Text for the icon: accessible name and tooltip. */
	label: string;
	icon: Icon;
	variant?: 'default' | 'quiet';
	size?: 'small' | 'medium';
	ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
	const { label, icon: ButtonIcon, variant = 'quiet', size = 'medium', className = '', ...rest } = props;
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
				<ButtonIcon {...iconProps} />
			</button>
		</Tooltip>
	);
}

interface PlainIconButtonProps {
	label: string;
	icon: Icon;
	onClick: () => void;
	hasMenu?: boolean;
	isOpen?: boolean;
}

/** An icon button without a tooltip component: a list may scroll through 100,000 rows, and each must be cheap. */
export function PlainIconButton({ label, icon: ButtonIcon, onClick, hasMenu, isOpen }: PlainIconButtonProps) {
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
			<ButtonIcon {...iconProps} />
		</button>
	);
}
