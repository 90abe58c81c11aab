import type { Icon } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './button.module.css';
import { iconProps, smallIconProps } from './icon.ts';

interface ButtonAppearance {
	/** Use `primary` only once per card or dialog. */
	variant?: 'primary' | 'default' | 'quiet' | 'danger' | undefined;
	/** Height 28 or 36 px; on a phone at least 44 px. */
	size?: 'small' | 'medium' | undefined;
	icon?: Icon | false | undefined;
	isFullWidth?: boolean | undefined;
	className?: string | undefined;
	children?: ReactNode;
}

function elementProps<P extends ButtonAppearance>(props: P) {
	const {
		variant = 'default',
		size = 'medium',
		icon: ButtonIcon,
		isFullWidth = false,
		className = '',
		children,
		...rest
	} = props;
	return {
		className: `${classes.button} ${className}`,
		'data-variant': variant,
		'data-size': size,
		'data-full-width': isFullWidth || undefined,
		...rest,
		children: (
			<>
				{ButtonIcon && <ButtonIcon {...(size === 'small' ? smallIconProps : iconProps)} />}
				{children}
			</>
		),
	};
}

/** `type` is 'button' by default, because the HTML default would submit forms. */
export function Button(props: ButtonAppearance & ButtonHTMLAttributes<HTMLButtonElement>) {
	return <button type="button" {...elementProps(props)} />;
}

/** A plain link that looks like a button. For downloads and pages outside the router. */
export function ButtonAnchor(props: ButtonAppearance & AnchorHTMLAttributes<HTMLAnchorElement>) {
	return <a {...elementProps(props)} />;
}

type ButtonLinkProps = ButtonAppearance &
	LinkProps & {
		'aria-label'?: string;
		onClick?: (() => void) | undefined;
	};

export function ButtonLink(props: ButtonLinkProps) {
	return <Link {...elementProps(props)} />;
}
