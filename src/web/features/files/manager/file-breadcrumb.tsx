import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { dropHandlers } from '../actions/node-drag.ts';
import classes from './file-breadcrumb.module.css';

/** One step of the path to the folder shown. */
export interface Crumb {
	key: string;
	name: string;
	to: string;
	search: Record<string, string>;
	/** The path of the folder that nodes can be dropped into. */
	dropPath?: string;
}

interface FileBreadcrumbProps {
	crumbs: readonly Crumb[];
	/** Moves nodes that are dropped on a step. */
	onMove?: ((nodes: Node[], path: string) => void) | undefined;
}

/** The path from the top to the folder shown, which is the last step. */
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

/** The name of a space: fixed names for the reserved spaces, the email address for a user's. */
export function spaceName(owner: string, email: string | undefined): string {
	const key = owner.toLowerCase();
	if (key === 'guest') return m.files_space_guest();
	if (key === 'book') return m.files_space_book();
	return email ?? owner;
}
