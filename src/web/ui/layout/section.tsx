import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
	title: string;
	/** A sentence about the section. */
	intro?: ReactNode;
	/** Beside the title: a button, a badge. */
	aside?: ReactNode;
	children: ReactNode;
}

/** One part of a settings page, as a card with its own heading; also a landmark to jump to. */
export function Section({ title, intro, aside, children }: SectionProps) {
	const titleId = useId();
	return (
		<section className={classes.section} aria-labelledby={titleId}>
			<header className={classes.header}>
				<h2 id={titleId} className={classes.title}>
					{title}
				</h2>
				{aside}
			</header>
			{intro !== undefined && <p className={classes.intro}>{intro}</p>}
			{children}
		</section>
	);
}

/** The column of a page's sections. */
export function Sections({ children }: { children: ReactNode }) {
	return <div className={classes.column}>{children}</div>;
}
