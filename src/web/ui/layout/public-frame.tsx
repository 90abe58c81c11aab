import type { ReactNode } from 'react';
import { chooseLocale, currentLocale } from '#web/platform/formats/locale.ts';
import { Brand } from '../illustrations/brand.tsx';
import { Button } from '../primitives/button.tsx';
import classes from './public-frame.module.css';

interface PublicFrameProps {
	title: string;
	/** A sentence below the title. */
	intro?: string;
	children?: ReactNode;
	/** Secondary links below the card. */
	below?: ReactNode;
}

/** A single card on an empty page, for sign-in and similar screens. */
export function PublicFrame({ title, intro, children, below }: PublicFrameProps) {
	const other =
		currentLocale() === 'hi' ? ({ code: 'en', name: 'English' } as const) : ({ code: 'hi', name: 'हिन्दी' } as const);
	return (
		<div className={classes.page}>
			<header className={classes.bar}>
				{/* The landing page is not part of this app: a full navigation. */}
				<a href="/" className={classes.brand}>
					<Brand />
				</a>
				<Button variant="quiet" lang={other.code} onClick={() => chooseLocale(other.code)}>
					{other.name}
				</Button>
			</header>
			<main id="content" tabIndex={-1} className={classes.main}>
				<div className={classes.card}>
					<h1 className={classes.title}>{title}</h1>
					{intro !== undefined && <p className={classes.intro}>{intro}</p>}
					{children}
				</div>
				{below !== undefined && <div className={classes.below}>{below}</div>}
			</main>
		</div>
	);
}
