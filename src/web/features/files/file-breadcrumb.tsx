import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import classes from './file-breadcrumb.module.css';

/** One step on the way to the folder shown. */
export interface Crumb {
	key: string;
	name: string;
	to: string;
	search: Record<string, string>;
}

/** The way from the top to the folder shown; the last step is where one is. */
export function FileBreadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
	return (
		<nav aria-label={m.files_breadcrumb()} className={classes.trail}>
			<ol>
				{crumbs.map(({ key, name, to, search }, index) => (
					<li key={key} className={classes.step}>
						{index > 0 && <IconChevronRight {...smallIconProps} />}
						{index === crumbs.length - 1 ? (
							<span aria-current="page" title={name}>
								<bdi>{name}</bdi>
							</span>
						) : (
							<Link to={to} search={search} title={name}>
								<bdi>{name}</bdi>
							</Link>
						)}
					</li>
				))}
			</ol>
		</nav>
	);
}
