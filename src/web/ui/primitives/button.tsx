import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './button.module.css';

export interface ButtonAppearance {
	/** `primary` at most once per surface. */
	variant?: 'primary' | 'default' | 'quiet' | 'danger' | undefined;
	/** 28, 36 or 52 high (44 at least on a phone). */
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

/** A button; `type` is 'button' unless said otherwise, so that it never submits by accident. */
export function Button({ variant, size, icon, isFullWidth, className, children, type, ...rest }: ButtonProps) {
	return (
		<button type={type ?? 'button'} {...appearanceProps({ variant, size, isFullWidth }, className)} {...rest}>
			{icon}
			{children}
		</button>
	);
}

type ButtonAnchorProps = ButtonAppearance & AnchorHTMLAttributes<HTMLAnchorElement>;

/** A full navigation (or a download) that looks like a button. */
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
		/** Beside going there. */
		onClick?: (() => void) | undefined;
	};

/** A way to another screen that looks like a button. */
export function ButtonLink({ variant, size, icon, isFullWidth, className, children, ...rest }: ButtonLinkProps) {
	return (
		<Link {...appearanceProps({ variant, size, isFullWidth }, className)} {...rest}>
			{icon}
			{children}
		</Link>
	);
}
