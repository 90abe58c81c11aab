import type { ReactNode } from 'react';
import classes from '#web/ui/icon-button.module.css';

interface RowButtonProps {
	label: string;
	icon: ReactNode;
	onClick: () => void;
	hasMenu?: boolean;
	isOpen?: boolean;
}

/** An icon button without a tooltip component of its own: a hundred thousand rows pass by, each must cost little. */
export function RowButton({ label, icon, onClick, hasMenu, isOpen }: RowButtonProps) {
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
