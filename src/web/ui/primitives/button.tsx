import type { Icon } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './button.module.css';
import { iconProps, smallIconProps } from './icon.ts';

interface ButtonAppearance {
	/** `primary` at most once per surface. */
	variant?: 'primary' | 'default' | 'quiet' | 'danger' | undefined;
	/** 28 or 36 px high (at least 44 px on a phone). */
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

/** A button whose `type` is 'button' by default, so that it never submits a form by accident. */
export function Button(props: ButtonAppearance & ButtonHTMLAttributes<HTMLButtonElement>) {
	return <button type="button" {...elementProps(props)} />;
}

/** A link that looks like a button, for a full navigation or a download. */
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
