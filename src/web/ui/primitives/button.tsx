import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './button.module.css';

interface ButtonAppearance {
	/** `primary` at most once per surface. */
	variant?: 'primary' | 'default' | 'quiet' | 'danger' | undefined;
	/** 28, 36 or 52 px high (at least 44 px on a phone). */
	size?: 'small' | 'medium' | 'large' | undefined;
	icon?: ReactNode;
	isFullWidth?: boolean | undefined;
}

function appearanceProps(
	{ variant = 'default', size = 'medium', isFullWidth = false }: ButtonAppearance,
	className?: string,
) {
	return {
		className: className === undefined ? classes.button : `${classes.button} ${className}`,
		'data-variant': variant,
		'data-size': size,
		'data-full-width': isFullWidth || undefined,
	};
}

type ButtonProps = ButtonAppearance & ButtonHTMLAttributes<HTMLButtonElement>;

/** A button whose `type` is 'button' by default, so that it never submits a form by accident. */
export function Button({ variant, size, icon, isFullWidth, className, children, type, ...rest }: ButtonProps) {
	return (
		<button type={type ?? 'button'} {...appearanceProps({ variant, size, isFullWidth }, className)} {...rest}>
			{icon}
			{children}
		</button>
	);
}

type ButtonAnchorProps = ButtonAppearance & AnchorHTMLAttributes<HTMLAnchorElement>;

/** A link that looks like a button, for a full navigation or a download. */
export function ButtonAnchor({ variant, size, icon, isFullWidth, className, children, ...rest }: ButtonAnchorProps) {
	return (
		<a {...appearanceProps({ variant, size, isFullWidth }, className)} {...rest}>
			{icon}
			{children}
		</a>
	);
}

type ButtonLinkProps = ButtonAppearance &
	LinkProps & {
		className?: string;
		'aria-label'?: string;
		children?: ReactNode;
		/** Called in addition to the navigation. */
		onClick?: (() => void) | undefined;
	};

/** A link to another screen that looks like a button. */
export function ButtonLink({ variant, size, icon, isFullWidth, className, children, ...rest }: ButtonLinkProps) {
	return (
		<Link {...appearanceProps({ variant, size, isFullWidth }, className)} {...rest}>
			{icon}
			{children}
		</Link>
	);
}
