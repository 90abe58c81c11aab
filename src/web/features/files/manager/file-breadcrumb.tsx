import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { dropHandlers } from '../actions/node-drag.ts';
import classes from './file-breadcrumb.module.css';

/** One step on the way to the folder shown. */
export interface Crumb {
	key: string;
	name: string;
	to: string;
	search: Record<string, string>;
	/** The path of the folder that entries may be dropped into. */
	dropPath?: string;
}

interface FileBreadcrumbProps {
	crumbs: readonly Crumb[];
	/** Moves entries that are dropped onto a step. */
	onMove?: ((nodes: Node[], path: string) => void) | undefined;
}

/** The way from the top to the folder shown; the last step is where one is. */
export function FileBreadcrumb({ crumbs, onMove }: FileBreadcrumbProps) {
	return (
		<nav aria-label={m.files_breadcrumb()} className={classes.trail} {...(onMove && dropHandlers(onMove))}>
			<ol>
				{crumbs.map(({ key, name, to, search, dropPath }, index) => (
					<li key={key} className={classes.step}>
						{index > 0 && <IconChevronRight {...smallIconProps} />}
						{index === crumbs.length - 1 ? (
							<span aria-current="page" title={name}>
								<bdi>{name}</bdi>
							</span>
						) : (
							<Link
								to={to}
								search={search}
								title={name}
								draggable={false}
								data-drop-path={onMove === undefined ? undefined : dropPath}
							>
								<bdi>{name}</bdi>
							</Link>
						)}
					</li>
				))}
			</ol>
		</nav>
	);
}

/** What a space is called: the reserved ones by their names, a person's by the address. */
export function spaceName(owner: string, email: string | undefined): string {
	const key = owner.toLowerCase();
	if (key === 'guest') return m.files_space_guest();
	if (key === 'book') return m.files_space_book();
	return email ?? owner;
}
